import styles from "./state-diagram.module.css";

const WIDTH = 720;
const HEIGHT = 250;
const BOX = { width: 112, height: 44 } as const;
const ROW_Y = 60;

const STATES = [
  { name: "queued", x: 24 },
  { name: "sent", x: 212 },
  { name: "delivered", x: 400 },
  { name: "read", x: 588 },
] as const;

const FAILED = { x: 212, y: 176 } as const;

/** A diagram of a message's states and transitions. The text beside it says the same. */
export function StateDiagram() {
  const middle = ROW_Y + BOX.height / 2;
  return (
    <figure className={styles.figure}>
      <svg
        viewBox={`0 0 ${WIDTH} ${HEIGHT}`}
        className={styles.diagram}
        // oxlint-disable-next-line jsx-a11y/prefer-tag-over-role
        role="img"
        aria-label="queued leads to sent, delivered and read, in this order; queued and sent can lead to failed; failed can lead to delivered or read, and to sent if the failure was only assumed"
      >
        <defs>
          <marker
            id="tip"
            viewBox="0 0 8 8"
            refX="7"
            refY="4"
            markerWidth="8"
            markerHeight="8"
            orient="auto-start-reverse"
          >
            <path d="M0 0.5 7.5 4 0 7.5z" className={styles.tip} />
          </marker>
        </defs>
        {STATES.slice(0, -1).map(({ name, x }) => (
          <path
            key={name}
            d={`M${x + BOX.width} ${middle}H${x + 186}`}
            className={styles.way}
            markerEnd="url(#tip)"
          />
        ))}
        <text x={174} y={40} className={styles.label}>
          handed over
        </text>
        <text x={362} y={40} className={styles.label}>
          on the device
        </text>
        <text x={550} y={40} className={styles.label}>
          opened
        </text>
        <path
          d={`M80 ${ROW_Y + BOX.height}V198H${FAILED.x - 2}`}
          className={styles.way}
          markerEnd="url(#tip)"
        />
        <path d={`M244 ${ROW_Y + BOX.height}V${FAILED.y - 2}`} className={styles.way} markerEnd="url(#tip)" />
        <path
          d={`M292 ${FAILED.y}V${ROW_Y + BOX.height + 2}`}
          className={`${styles.way} ${styles.rare}`}
          markerEnd="url(#tip)"
        />
        <text x={372} y={144} className={styles.label}>
          only assumed
        </text>
        <path
          d={`M${FAILED.x + BOX.width} 190H456V${ROW_Y + BOX.height + 2}`}
          className={`${styles.way} ${styles.rare}`}
          markerEnd="url(#tip)"
        />
        <path
          d={`M${FAILED.x + BOX.width} 206H644V${ROW_Y + BOX.height + 2}`}
          className={`${styles.way} ${styles.rare}`}
          markerEnd="url(#tip)"
        />
        <text x={490} y={228} className={styles.label}>
          it arrived anyway
        </text>
        {STATES.map(({ name, x }) => (
          <State key={name} name={name} x={x} y={ROW_Y} />
        ))}
        <State name="failed" x={FAILED.x} y={FAILED.y} />
      </svg>
    </figure>
  );
}

function State({ name, x, y }: { name: string; x: number; y: number }) {
  return (
    <g className={name === "failed" ? styles.failed : undefined}>
      <rect x={x} y={y} width={BOX.width} height={BOX.height} rx={8} className={styles.box} />
      <text x={x + BOX.width / 2} y={y + BOX.height / 2 + 5} className={styles.name}>
        {name}
      </text>
    </g>
  );
}

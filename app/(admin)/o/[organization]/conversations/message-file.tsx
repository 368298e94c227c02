import { Anchor } from "@mantine/core";
import { useState } from "react";
import { IconFile } from "@/app/ui/icons";
import { PICTURE_TYPES } from "@/server/lib/picture-types";
import { useViewer } from "../shared/viewer";
import styles from "./bubble.module.css";
import { OutsideLink } from "./outside-link";
import type { MessageEntry } from "./types";
import { fileStateWords, sizeWords } from "./words";

/** The file of a message: a picture as such, any other file by its name, type and size. */
export function MessageFile({ entry, type }: { entry: MessageEntry; type: string }) {
  const { organization } = useViewer();
  const [isBroken, setBroken] = useState(false);
  const { id, file, message } = entry;
  if (file === null) return <p className={styles.remark}>{type}</p>;
  const { filename, mimeType, state } = file;
  const name = filename ?? type;
  const query = new URLSearchParams({ organization: organization.id }).toString();
  const address = state === "stored" ? `/api/files/${id}?${query}` : null;
  if (address === null || !PICTURE_TYPES.has(mimeType ?? ""))
    return <FileLine file={file} name={name} address={address} />;
  if (isBroken) return <FileLine file={file} name={name} address={address} onShow={() => setBroken(false)} />;
  return (
    <a className={styles.pictureLink} href={address} target="_blank" rel="noreferrer">
      {/* Next's image would fetch it by the server, which has no session. */}
      {/* oxlint-disable-next-line next/no-img-element */}
      <img
        className={styles.picture}
        data-type={message.type}
        src={address}
        alt={`${name} ${message.direction === "inbound" ? "from" : "to"} the customer`}
        loading="lazy"
        onError={() => setBroken(true)}
      />
    </a>
  );
}

function FileLine({
  file,
  name,
  address,
  onShow,
}: {
  file: NonNullable<MessageEntry["file"]>;
  name: string;
  address: string | null;
  /** Given for a picture that couldn’t be loaded. */
  onShow?: () => void;
}) {
  const { mimeType, size, url } = file;
  const about = [mimeType, size === null ? null : sizeWords(size), fileStateWords(file)].filter(
    (one) => one !== null,
  );
  return (
    <div className={styles.file}>
      <IconFile size={28} stroke={1.4} aria-hidden style={{ flex: "none" }} />
      <div>
        {address === null ? (
          <span dir="auto">{name}</span>
        ) : (
          <Anchor inherit underline="always" href={address} download dir="auto">
            {name}
          </Anchor>
        )}
        <span className={styles.fileAbout}>{about.join(" · ")}</span>
        {url === null ? null : (
          <span className={styles.fileAbout}>
            <OutsideLink to={url} />
          </span>
        )}
        {onShow === undefined ? null : (
          <span className={styles.fileAbout}>
            The picture couldn’t be loaded.{" "}
            <Anchor component="button" type="button" inherit underline="always" onClick={onShow}>
              Try again
            </Anchor>
          </span>
        )}
      </div>
    </div>
  );
}

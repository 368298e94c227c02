import { Table } from "../parts/article";
import { documentation } from "../parts/documentation";

const KIB = 1024;
const MIB = 1024 * KIB;

/** The files that WhatsApp accepts, by message type. */
export async function MediaTypes() {
  const { mediaTypes } = await documentation();
  return (
    <Table
      isStacked
      head={["Message type", "Maximum file size", "Media types"]}
      rows={mediaTypes.map(({ type, sizeBytesMax, mimeTypes }) => ({
        key: type,
        cells: [
          <code key="type">{type}</code>,
          sizeBytesMax < MIB ? `${sizeBytesMax / KIB} KiB` : `${sizeBytesMax / MIB} MiB`,
          mimeTypes.join(", "),
        ],
      }))}
    />
  );
}

/** Values of a cell. Times are written in ISO 8601, UTC. Null is an empty cell. */
export type CsvCell = string | number | boolean | Date | null;

/** Maps the header of each column, in order, to a function that returns its cell of a row. */
export type CsvColumns<Row> = Readonly<Record<string, (row: Row) => CsvCell>>;

/** Spreadsheets only read a file as UTF-8 if it begins with this. */
const BYTE_ORDER_MARK = "\uFEFF";

/**
 * Writes a CSV file (RFC 4180) with a header row, in UTF-8, one chunk for each batch of rows. Text that a spreadsheet
 * would interpret as a formula is shown as text. When the reader stops, the batches stop too.
 */
export async function* csvOf<Row>(
  columns: CsvColumns<Row>,
  batches: AsyncIterable<readonly Row[]>,
): AsyncGenerator<string, void, undefined> {
  yield BYTE_ORDER_MARK + csvLine(Object.keys(columns));
  const cells = Object.values(columns);
  for await (const rows of batches) {
    if (rows.length > 0) yield rows.map((row) => csvLine(cells.map((cell) => cell(row)))).join("");
  }
}

function csvLine(cells: readonly CsvCell[]): string {
  return `${cells.map(csvCell).join(",")}\r\n`;
}

/**
 * Characters that make a spreadsheet interpret text as a formula if they come first (OWASP, "CSV Injection"), in ASCII
 * or in full width. White space may precede them, because some spreadsheets ignore it.
 */
const FORMULA_START = /^[\s\p{Cc}\p{Cf}]*[=+\-@＝＋－＠]|^[\t\r\n]/u;

function csvCell(cell: CsvCell): string {
  if (cell === null) return "";
  if (cell instanceof Date) return cell.toISOString();
  if (typeof cell !== "string") return String(cell);
  const harmless = FORMULA_START.test(cell) ? `'${cell}` : cell;
  return /[",\r\n]/.test(harmless) ? `"${harmless.replaceAll('"', '""')}"` : harmless;
}

/** What a cell can hold. Times are written in ISO 8601, UTC; null is an empty cell. */
export type CsvCell = string | number | boolean | Date | null;

/** By the header of each column, in order: its cell of a row. */
export type CsvColumns<Row> = Readonly<Record<string, (row: Row) => CsvCell>>;

/** Spreadsheets take a file for UTF-8 only where it begins with this. */
const BYTE_ORDER_MARK = "\uFEFF";

/**
 * A CSV file (RFC 4180) with a header row, in UTF-8, one chunk for each batch of rows. Text that a spreadsheet would take
 * for a formula is shown as text. Whoever stops reading stops the batches too.
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
 * What makes a spreadsheet take text for a formula where it stands first (OWASP, "CSV Injection"), in ASCII or in full
 * width, also behind white space, which some leave out.
 */
const FORMULA_START = /^[\s\p{Cc}\p{Cf}]*[=+\-@＝＋－＠]|^[\t\r\n]/u;

function csvCell(cell: CsvCell): string {
  if (cell === null) return "";
  if (cell instanceof Date) return cell.toISOString();
  if (typeof cell !== "string") return String(cell);
  const harmless = FORMULA_START.test(cell) ? `'${cell}` : cell;
  return /[",\r\n]/.test(harmless) ? `"${harmless.replaceAll('"', '""')}"` : harmless;
}

/** What the text of `/metrics` says of a metric without labels, or with these; null where it isn't told. */
export function valueOf(text: string, series: string): number | null {
  const line = text.split("\n").find((one) => one.startsWith(`${series} `));
  return line === undefined ? null : Number(line.slice(series.length));
}

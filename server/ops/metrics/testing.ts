/** Returns the value of a metric without labels, or with these, in the text of `/metrics`. Null if it is missing. */
export function valueOf(text: string, series: string): number | null {
  const line = text.split("\n").find((one) => one.startsWith(`${series} `));
  return line === undefined ? null : Number(line.slice(series.length));
}

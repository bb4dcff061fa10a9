/** Bytes in B, KiB or MiB with four significant digits and a thin space. */
export function byteText(n: number): string {
  const [value, unit] = n < 1024 ? [n, "B"] : n < 1024 * 1024 ? [n / 1024, "KiB"] : [n / 1024 / 1024, "MiB"];
  return `${Number(value.toPrecision(4)).toLocaleString("en-US", { maximumFractionDigits: 3 })}\u2009${unit}`;
}

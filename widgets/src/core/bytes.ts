/** A number with commas, and at most three digits behind the point. (To make the first `Intl.NumberFormat` takes a browser 25 ms, a tenth of a view's first paint.) */
export function numberText(n: number): string {
  const [whole, part] = String(Number(n.toFixed(3))).split(".");
  return whole!.replace(/\B(?=(\d{3})+$)/g, ",") + (part === undefined ? "" : `.${part}`);
}

/** Bytes in B, KiB or MiB with four significant digits and a thin space. */
export function byteText(n: number): string {
  const [value, unit] = n < 1024 ? [n, "B"] : n < 1024 * 1024 ? [n / 1024, "KiB"] : [n / 1024 / 1024, "MiB"];
  return `${numberText(Number(value.toPrecision(4)))}\u2009${unit}`;
}

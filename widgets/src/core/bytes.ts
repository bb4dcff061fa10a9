const NUMBER = new Intl.NumberFormat("en-US", { maximumFractionDigits: 3 });

/** A whole number with commas, others with at most three digits behind the point. */
export const numberText = (n: number): string => NUMBER.format(n);

/** Bytes in B, KiB or MiB with four significant digits and a thin space. */
export function byteText(n: number): string {
  const [value, unit] = n < 1024 ? [n, "B"] : n < 1024 * 1024 ? [n / 1024, "KiB"] : [n / 1024 / 1024, "MiB"];
  return `${numberText(Number(value.toPrecision(4)))}\u2009${unit}`;
}

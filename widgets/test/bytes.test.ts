import { describe, expect, it } from "vitest";
import { byteText, numberText } from "../src/core/bytes";

describe("numbers as text", () => {
  it("are what Intl makes of them", () => {
    const intl = new Intl.NumberFormat("en-US", { maximumFractionDigits: 3 });
    const numbers = [0, 1, 12, 999, 1000, 1234, 99999, 123456, 1e6, 2 ** 53 - 1, 1e15, 0.5, 0.1236, 12.3, 1234.5, 1234.5678, 0.0004, -3, -999, -1234, -123456.75];
    for (const n of numbers) expect(numberText(n)).toBe(intl.format(n));
  });

  it("say bytes in the largest unit that leaves one", () => {
    expect([0, 1023, 1024, 1536, 447.7 * 1024, 2 ** 20, 1e10].map(byteText)).toEqual(["0\u2009B", "1,023\u2009B", "1\u2009KiB", "1.5\u2009KiB", "447.7\u2009KiB", "1\u2009MiB", "9,537\u2009MiB"]);
  });
});

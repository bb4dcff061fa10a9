/** A sentence in pieces: what stood between backticks is code. */
export interface Piece { text: string; code: boolean }

export function pieces(sentence: string): Piece[] {
  return sentence
    .split("`")
    .map((text, k) => ({ text, code: k % 2 === 1 }))
    .filter((p) => p.text !== "");
}

/** The sentence as read aloud or searched: without backticks. */
export const plain = (sentence: string): string => sentence.replaceAll("`", "");

/** Width of monospace text: every font in the stack is close to 0.6 em a character. */
export const monoWidth = (text: string, size: number): number => [...text].length * size * 0.602;

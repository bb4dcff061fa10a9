const SELECT = "minitorch-lab:select", CLOCK = "minitorch-lab:clock";

interface Told { recording: string; from: Shared }
interface Selection extends Told { id: string | null }
interface Time extends Told { clock: string; at: number }

/** What a view does when another one on the page has selected something, or moved. */
export interface Hearing { selected(id: string | null): void; moved(at: number): void }

/**
 * What the views of one page share: the id that is pointed at here, the one that is picked everywhere, and the time.
 *
 * Views of one recording share the pick. Those with the same `clock` also share the time, as `at` of their steps: a step
 * has another number in each. Every bundle of the renderer on a page talks through the same channel, its document.
 */
export class Shared {
  picked: string | null = null;
  pointed: string | null = null;
  private readonly onSelect = (ev: Event) => {
    const { recording, from, id } = (ev as CustomEvent<Selection>).detail;
    if (from !== this && recording === this.recording) this.hearing.selected(id);
  };
  private readonly onTime = (ev: Event) => {
    const { recording, from, clock, at } = (ev as CustomEvent<Time>).detail;
    if (from !== this && recording === this.recording && clock === this.clock) this.hearing.moved(at);
  };

  constructor(private readonly channel: EventTarget, private readonly recording: string | undefined, private readonly clock: string | undefined, private readonly hearing: Hearing) {
    channel.addEventListener(SELECT, this.onSelect);
    channel.addEventListener(CLOCK, this.onTime);
  }

  /** What the details tell of: where the reader points, else what is picked. */
  get current(): string | null { return this.pointed ?? this.picked; }

  /** Picks here and in the other views. */
  pick(id: string | null): void {
    this.picked = id;
    const { recording } = this;
    if (recording) this.channel.dispatchEvent(new CustomEvent<Selection>(SELECT, { detail: { recording, from: this, id } }));
  }

  /** Tells the views on the same clock what time it is. */
  tick(at: number): void {
    const { recording, clock } = this;
    if (recording && clock) this.channel.dispatchEvent(new CustomEvent<Time>(CLOCK, { detail: { recording, from: this, clock, at } }));
  }

  destroy(): void {
    this.channel.removeEventListener(SELECT, this.onSelect);
    this.channel.removeEventListener(CLOCK, this.onTime);
  }
}

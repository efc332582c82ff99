/** The next characters of two texts that ought to be the same: keeps what one side has and the other has not yet. */
export class SharedText {
  /** What the side that is ahead has more, from `at` on. */
  private ahead = '';
  private at = 0;

  /** What the side that is ahead has more. */
  get rest(): string {
    return this.ahead.slice(this.at);
  }

  /**
   * Takes the next characters of the side that is behind, or of either where both are at the same place. Gives how
   * many of these the sides share, where they part there; else −1.
   */
  take(text: string): number {
    const left = this.ahead.length - this.at;
    const shared = Math.min(left, text.length);
    if (!this.ahead.startsWith(text.slice(0, shared), this.at)) {
      let same = 0;
      while (this.ahead[this.at + same] === text[same]) same++;
      return same;
    }
    if (text.length <= left) {
      this.at += shared;
    } else {
      this.ahead = text;
      this.at = shared;
    }
    return -1;
  }
}

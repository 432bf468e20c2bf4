// The games and players that the program knows: asked for once, and shared by all pages.

import { get } from './api';
import type { GameInfo, LabelInfo } from './types';

export class Lists {
  games = $state.raw<GameInfo[]>([]);
  labels = $state.raw<LabelInfo[]>([]);
  private asked: Promise<void> | null = null;

  load(): Promise<void> {
    this.asked ??= this.ask();
    return this.asked;
  }

  private async ask() {
    try {
      [this.games, this.labels] = await Promise.all([get<GameInfo[]>('games'), get<LabelInfo[]>('players')]);
    } catch (problem) {
      this.asked = null;
      throw problem;
    }
  }
}

export const lists = new Lists();

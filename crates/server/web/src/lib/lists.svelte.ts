// The games, players and channels that the program knows: asked for once, and shared by all pages.

import { get } from './api';
import type { Channel, GameInfo, LabelInfo } from './types';

export class Lists {
  games = $state.raw<GameInfo[]>([]);
  labels = $state.raw<LabelInfo[]>([]);
  channels = $state.raw<Channel[]>([]);
  private asked: Promise<void> | null = null;

  load(): Promise<void> {
    this.asked ??= this.ask();
    return this.asked;
  }

  private async ask() {
    try {
      [this.games, this.labels, this.channels] = await Promise.all([
        get<GameInfo[]>('games'),
        get<LabelInfo[]>('players'),
        get<Channel[]>('channels'),
      ]);
    } catch (problem) {
      this.asked = null;
      throw problem;
    }
  }
}

export const lists = new Lists();

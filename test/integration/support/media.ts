import { readFileSync } from 'node:fs';
import path from 'node:path';

const folder = path.join(__dirname, '..', '..', '..', 'simulator', 'media');

/** A media file of the simulator, whole. */
export const media = (name: string): Buffer => readFileSync(path.join(folder, name));

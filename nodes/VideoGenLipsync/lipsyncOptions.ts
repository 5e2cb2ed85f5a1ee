/** Options of a lipsync, alone or in a batch. */
import { dubbingOptions, fpsMode } from '../fields/dubbing';
import { folder } from '../fields/folder';

export const lipsyncOptions = [...dubbingOptions, folder, fpsMode] as const;

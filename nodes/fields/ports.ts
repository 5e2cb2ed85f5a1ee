/** What the core is handed, because it knows no resource. */
import type { Ports } from '../core/operation';
import { balance } from './balance';
import { upload } from './upload';

export const ports: Ports = { balance, upload };

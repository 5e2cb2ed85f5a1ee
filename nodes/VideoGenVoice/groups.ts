/** The two kinds of voice: trained from much recorded speech, and those that speak in videos. */
import type { Group } from '../core/operation';

export const professional: Group = { name: 'Professional Voice', value: 'professionalVoice' };
export const simple: Group = { name: 'Voice', value: 'voice' };

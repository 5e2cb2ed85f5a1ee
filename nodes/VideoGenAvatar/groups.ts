import type { Group } from '../core/operation';

/** An avatar is one person or character; the API calls it a group of looks. */
export const avatars: Group = { name: 'Avatar', value: 'avatar' };

/** A look is one appearance of an avatar. */
export const looks: Group = { name: 'Look', value: 'look' };

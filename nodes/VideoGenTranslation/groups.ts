/** What the operations of the node work on. */
export const translations = { name: 'Translation', value: 'translation' } as const;
export const proofreads = { name: 'Proofread', value: 'proofread' } as const;

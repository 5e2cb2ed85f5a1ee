/**
 * Display name of the node that waits while the execution is suspended, or `undefined` if
 * package.json does not list that node. `npm run generate` writes this value.
 */
export const waitNodeName: string | undefined = 'VideoGen Wait for Job';

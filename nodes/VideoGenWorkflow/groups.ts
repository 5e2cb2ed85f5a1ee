/** What the operations of this node work on. */
export const groups = {
	workflow: { name: 'Workflow', value: 'workflow' },
	version: { name: 'Version', value: 'version' },
	run: { name: 'Run', value: 'run' },
} as const;

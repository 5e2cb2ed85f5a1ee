import { emitEvent } from './deliveries';
import type { Failure, Job, JobRow } from './rows';
import type { Service } from './service';
import { addRow, type Table } from './store';

/** One step on a job's way, `share` of the job's time after its start. */
export interface JobStep {
	share: number;
	run: (at: number) => void;
}

/** What the next job of this kind was told to fail with. */
export const takeNextFailure = ({ state }: Service, kind: string): Failure | null =>
	state.failNext.get(kind)?.shift() ?? null;

/** Starts a job that passes its steps and then ends, well or not. */
export function startJob(
	service: Service,
	kind: string,
	job: {
		id: string;
		record: object;
		/** Now by default. With the record's `created`, it is completed exactly the job's time later. */
		start?: number;
		steps?: JobStep[];
		complete: (at: number) => void;
		fail: (failure: Failure, at: number) => void;
		failure?: Failure | null;
	},
): void {
	const { state, settings } = service;
	const { start = service.clock.now() } = job;
	const stepsLeft = new Set(job.steps);
	const runStep = (step: JobStep, at: number) => {
		if (stepsLeft.delete(step)) step.run(at);
	};
	const row: Job = addRow<Job>(state, state.jobs, {
		id: job.id,
		kind,
		record: job.record,
		failure: takeNextFailure(service, kind) ?? job.failure ?? null,
		ended: false,
		end(at) {
			if (row.ended) return;
			for (const step of stepsLeft) runStep(step, at);
			// A step may have ended it.
			if (row.ended) return;
			row.ended = true;
			if (row.failure) job.fail(row.failure, at);
			else job.complete(at);
		},
	});
	for (const step of job.steps ?? []) {
		service.clock.scheduleWork(start, settings.jobSeconds * step.share, (at) => {
			if (!row.ended) runStep(step, at);
		});
	}
	service.clock.scheduleWork(start, settings.jobSeconds, row.end);
}

/** What is left of a job does nothing any more. Tells whether it was still running. */
export function stopJob({ state }: Service, id: string): boolean {
	const job = state.jobs.get(id);
	if (!job || job.ended) return false;
	job.ended = true;
	return true;
}

/** Adds a row and the job that takes it from its first status to its last. */
export function startRowJob<T extends JobRow>(
	service: Service,
	kind: string,
	table: Table<T>,
	options: {
		id: string;
		fields: Omit<T, keyof JobRow>;
		statuses: { waiting: string; running: string; done?: string; failed?: string };
		callbackUrl?: string | null | undefined;
		/** Name and payload of the events at the end; the suffix tells which end it was. */
		event?: { name: string; data: (row: T) => Record<string, unknown> };
		onStart?: (() => void) | undefined;
		onEnd?: ((failure: Failure | null) => void) | undefined;
	},
): T {
	const { statuses, event } = options;
	const jobFields: Omit<JobRow, 'seq'> = {
		id: options.id,
		status: statuses.waiting,
		created: service.clock.now(),
		completed: null,
		failure: null,
	};
	const row = addRow(service.state, table, { ...jobFields, ...options.fields } as Omit<T, 'seq'>);
	const endRow = (status: string, at: number, failure: Failure | null) => {
		Object.assign(row, { status, completed: at, failure });
		options.onEnd?.(failure);
		if (!event) return;
		const name = `${event.name}.${failure ? 'fail' : 'success'}`;
		emitEvent(service, name, event.data(row), options.callbackUrl);
	};
	startJob(service, kind, {
		id: row.id,
		record: row,
		start: row.created,
		steps: [
			{
				share: 0.15,
				run: () => {
					row.status = statuses.running;
					options.onStart?.();
				},
			},
		],
		complete: (at) => endRow(statuses.done ?? 'completed', at, null),
		fail: (failure, at) => endRow(statuses.failed ?? 'failed', at, failure),
	});
	return row;
}

/** Deletes a row; what it was doing goes unheard. */
export function deleteJobRow<T extends JobRow>(service: Service, table: Table<T>, row: T) {
	table.delete(row.id);
	stopJob(service, row.id);
}

/** The status as bulk lookups and batches name it. */
export function getBatchItemStatus(row: JobRow | undefined) {
	if (!row) return undefined;
	const names: Record<string, string> = { pending: 'queued', running: 'processing' };
	return { status: names[row.status] ?? row.status, error: row.failure };
}

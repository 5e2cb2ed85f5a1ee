import { freeCapacity, takeCapacity } from './capacity';
import { emitEvent } from './deliveries';
import type { Failure, Job, JobRow, Table } from './rows';
import type { Service } from './service';
import { addRow } from './store';

/** A change during a job, after a share of its duration from 0 to 1. */
export interface JobStep {
	share: number;
	run: (at: number) => void;
}

/** Returns and removes the failure that a test set for the next job of this kind. */
export const takeNextFailure = ({ state }: Service, kind: string): Failure | null =>
	state.failNext.get(kind)?.shift() ?? null;

/** Starts a job: runs its steps over the job time, then completes or fails it. */
export function startJob(
	service: Service,
	kind: string,
	job: {
		id: string;
		record: object;
		/** Default: now. The `created` time of the record makes the job last exactly the job time. */
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
			// A step may have ended the job.
			if (row.ended) return;
			row.ended = true;
			if (row.failure) job.fail(row.failure, at);
			else job.complete(at);
			freeCapacity(service, row, at);
		},
	});
	takeCapacity(service, row);
	for (const step of job.steps ?? []) {
		service.clock.scheduleWork(start, settings.jobSeconds * step.share, (at) => {
			if (!row.ended) runStep(step, at);
		});
	}
	service.clock.scheduleWork(start, settings.jobSeconds, row.end);
}

/** Stops a job without completing or failing it. Returns whether it was running. */
export function stopJob(service: Service, id: string): boolean {
	const job = service.state.jobs.get(id);
	if (!job || job.ended) return false;
	job.ended = true;
	freeCapacity(service, job, service.clock.now());
	return true;
}

/** Adds a row and starts the job that updates its status. */
export function startRowJob<T extends JobRow>(
	service: Service,
	kind: string,
	table: Table<T>,
	options: {
		id: string;
		/** Unix seconds; default: now. */
		created?: number | undefined;
		fields: Omit<T, keyof JobRow>;
		statuses: { waiting: string; running: string; done?: string; failed?: string };
		callbackUrl?: string | null | undefined;
		/** The event at the end. Its type is `name` plus `.success` or `.fail`. */
		event?: { name: string; data: (row: T) => Record<string, unknown> };
		onStart?: (() => void) | undefined;
		onEnd?: ((failure: Failure | null) => void) | undefined;
	},
): T {
	const { statuses, event } = options;
	const jobFields: Omit<JobRow, 'seq'> = {
		id: options.id,
		status: statuses.waiting,
		created: options.created ?? service.clock.now(),
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

/** Deletes a row and stops its job, which then emits no event. */
export function deleteJobRow<T extends JobRow>(service: Service, table: Table<T>, row: T) {
	table.delete(row.id);
	stopJob(service, row.id);
}

/** Returns the status in the words of bulk lookups and batches (service.md, States). */
export function getBatchItemStatus(row: JobRow | undefined) {
	if (!row) return undefined;
	const names: Record<string, string> = { pending: 'queued', running: 'processing' };
	return { status: names[row.status] ?? row.status, error: row.failure };
}

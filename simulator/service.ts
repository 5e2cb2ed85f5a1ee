import type { Agent } from 'undici';
import type { Clock } from './clock';
import type { State } from './store';

export interface SimulatorOptions {
	/** 0, the default, takes a free port. */
	port?: number;
	/** How long a render takes, in simulated seconds. */
	jobSeconds?: number;
	/** Brand in the names of the delivery headers: `<prefix>-Signature` and so on. */
	headerPrefix?: string;
	/** Public origin to the local origin that stands in for it. */
	tunnels?: Record<string, string>;
	/** Caps every page, so that short lists have many pages. */
	pageSize?: number;
	/** Seed of the random generator behind faults that happen with a probability. */
	seed?: number;
	/** Requests that one credential may make per simulated minute; no limit when absent. */
	requestsPerMinute?: number;
	/** The same per simulated second. */
	requestsPerSecond?: number;
	/** Simulated wait before the first retry of a delivery; it doubles from there. */
	retrySeconds?: number;
	/** Real seconds that a receiver has for its answer. */
	receiverTimeoutSeconds?: number;
	/** Simulated seconds that a signed address stays good. */
	linkSeconds?: number;
	/** Simulated seconds that an OAuth access token stays good. */
	tokenSeconds?: number;
	/** Every refresh gives a new refresh token and spends the old one. */
	rotateRefreshTokens?: boolean;
	/** Where the rows of event types have their name; null makes them plain texts. */
	eventTypeKey?: string | null;
	/** Which end the list of delivered events begins with: the specification does not say. */
	eventsFirst?: 'newest' | 'oldest';
}

type UnsetByDefault = 'pageSize' | 'requestsPerMinute' | 'requestsPerSecond';
export type Settings = Required<Omit<SimulatorOptions, UnsetByDefault>> &
	Pick<SimulatorOptions, UnsetByDefault>;

/** What every handler gets: the service as a whole. */
export interface Service {
	settings: Settings;
	baseUrl: string;
	clock: Clock;
	/** Replaced as a whole by a reset: never keep a reference to it. */
	state: State;
	keys: Map<string, ApiKey>;
	/** Bearer tokens that the API accepts now. */
	tokens: Set<string>;
	oauth: OauthState;
	random: () => number;
	outbox: Outbox;
	linkSecret: string;
	/** Aborted by `close`, so that no wait outlives the service. */
	closing: AbortController;
	media: { bytes: number | null; truncate: boolean };
}

export interface ApiKey {
	id: string;
	name: string;
	scopes: string[];
	/** Request lines that it may not use, whatever its scopes. */
	forbidden: string[];
	isExpired: boolean;
	created: number;
}

/** Access that a user allowed once; ends as a whole. */
export interface OauthGrant {
	clientId: string;
	scope: string;
	/** Refresh token that works now; with rotation, those before it are spent. */
	refreshToken: string;
	usedRefreshTokens: Set<string>;
	/** Access token to the time of its end, in Unix seconds. */
	accessTokens: Map<string, number>;
	isEnded: boolean;
}

export interface AuthorizationCode {
	clientId: string;
	redirectUri: string;
	challenge: string;
	scope: string;
	expires: number;
	/** Set when the code is exchanged. */
	grant: OauthGrant | null;
}

export interface OauthState {
	codes: Map<string, AuthorizationCode>;
	grants: OauthGrant[];
}

/** Deliveries under way. */
export interface Outbox {
	agent: Agent;
	running: Set<Promise<void>>;
	/** Attempts of an earlier generation stay silent. */
	generation: number;
}

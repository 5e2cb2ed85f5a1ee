import type { Agent } from 'undici';
import type { Clock } from './clock';
import type { State } from './store';

export interface SimulatorOptions {
	/** 0, the default, uses a free port. */
	port?: number;
	/** Address to listen on, `127.0.0.1` by default. `0.0.0.0` is every network of the machine. */
	host?: string;
	/** URL under which clients reach the service, where it differs from the one it listens on. */
	publicUrl?: string;
	/** API key with all scopes. By default, each start creates one. */
	apiKey?: string;
	/** Duration of a job in simulated seconds. */
	jobSeconds?: number;
	/** Prefix of the webhook headers: `<prefix>-Signature` and so on. */
	headerPrefix?: string;
	/** Public origin to the local origin that receives its deliveries. */
	tunnels?: Record<string, string>;
	/** Whether each video shows its title and text. Otherwise all videos are the same file. */
	renderVideos?: boolean;
	/** Whether webhook endpoints may be `http://` URLs on loopback, unlike those of the service. */
	localEndpoints?: boolean;
	/** Maximum size of a page, so that short lists have several pages. */
	pageSize?: number;
	/** Seed for faults with a probability. */
	seed?: number;
	/** Limit per credential and simulated minute. Unlimited by default. */
	requestsPerMinute?: number;
	/** Limit per credential and simulated second. Unlimited by default. */
	requestsPerSecond?: number;
	/** Simulated seconds before the first retry of a delivery. The pause doubles with every retry. */
	retrySeconds?: number;
	/** Timeout of a delivery in real seconds. */
	receiverTimeoutSeconds?: number;
	/** Lifetime of a signed URL in simulated seconds. */
	linkSeconds?: number;
	/** Lifetime of an OAuth access token in simulated seconds. */
	tokenSeconds?: number;
	/** Every refresh returns a new refresh token and invalidates the old one. */
	rotateRefreshTokens?: boolean;
	/** Key of the name in the list of event types, which is undocumented; null lists plain strings. */
	eventTypeKey?: string | null;
	/** Whether a response that the description does not allow is an error: for tests. */
	checkResponses?: boolean;
	/** Order of the list of delivered events, which is undocumented. */
	eventsFirst?: 'newest' | 'oldest';
}

type UnsetByDefault =
	'publicUrl' | 'apiKey' | 'pageSize' | 'requestsPerMinute' | 'requestsPerSecond';
export type Settings = Required<Omit<SimulatorOptions, UnsetByDefault>> &
	Pick<SimulatorOptions, UnsetByDefault>;

/** The running service: settings, clock and state. Every handler receives it. */
export interface Service {
	settings: Settings;
	baseUrl: string;
	clock: Clock;
	/** A reset replaces this object, so never keep a reference to it. */
	state: State;
	keys: Map<string, ApiKey>;
	/** Bearer tokens that the API accepts. */
	tokens: Set<string>;
	oauth: OauthState;
	/** All secrets of webhook endpoints so far. */
	endpointSecrets: string[];
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
	/** Request lines that return 403, whatever the scopes. */
	forbidden: string[];
	isExpired: boolean;
	created: number;
}

/** Access that a user allowed once. Revoking it ends all its tokens. */
export interface OauthGrant {
	clientId: string;
	scope: string;
	/** The valid refresh token. With rotation, the earlier ones are used. */
	refreshToken: string;
	usedRefreshTokens: Set<string>;
	/** Access token to its expiry in Unix seconds. */
	accessTokens: Map<string, number>;
	isEnded: boolean;
}

export interface AuthorizationCode {
	clientId: string;
	redirectUri: string;
	challenge: string;
	scope: string;
	expires: number;
	/** Set once the code was exchanged. */
	grant: OauthGrant | null;
}

export interface OauthState {
	codes: Map<string, AuthorizationCode>;
	grants: OauthGrant[];
}

/** Deliveries in flight. */
export interface Outbox {
	agent: Agent;
	running: Set<Promise<void>>;
	/** Increased by a reset: attempts of an earlier generation are not recorded or retried. */
	generation: number;
}

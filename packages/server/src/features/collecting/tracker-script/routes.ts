import { promisify } from "node:util";
import { brotliCompress, brotliCompressSync, constants, gzip, gzipSync } from "node:zlib";
import { Type } from "typebox";
import { ServiceError } from "../../../platform/errors/service-error.ts";
import type { App } from "../../../platform/http/app.ts";
import { chooseEncoding, type Encoding } from "../../../platform/http/choose-encoding.ts";
import { etagOf, matches } from "../../../platform/http/etag.ts";
import { addressGroup } from "../../../platform/http/rate-limit/address-group.ts";
import { MemoryRateCounter } from "../../../platform/http/rate-limit/rate-counter.ts";
import { ErrorRef } from "../../../platform/http/schemas.ts";
import type { Clock } from "../../../platform/lib/clock.ts";
import { HOUR_MS, MINUTE_MS } from "../../../platform/lib/durations.ts";
import { LruMap } from "../../../platform/lib/lru-map.ts";
import type { SiteDirectory } from "../../tenancy/sites/index.ts";
import { issueToken } from "../collect/index.ts";
import { AUTOMATIC_EVENTS, fillIn, readTrackers } from "./fill-in.ts";
import type { ScriptRequests } from "./script-requests.ts";

/** A token is issued for each full hour, so the script of a site, and its ETag, stays the same for an hour. */
const TOKEN_STEP_MS = HOUR_MS;

const anEvent = `(${AUTOMATIC_EVENTS.join("|")})`;

const ScriptQuery = Type.Object({
	id: Type.String({ minLength: 3, maxLength: 64, description: "Site id" }),
	group: Type.Optional(
		Type.String({ pattern: "^[a-zA-Z0-9_-]{0,64}$", description: "Content group of pages without their own" }),
	),
	auto: Type.Optional(Type.String({ description: "`0`: no initial page view" })),
	spa: Type.Optional(Type.String({ description: "`0`: no page views of single-page navigation" })),
	events: Type.Optional(
		Type.String({
			pattern: `^${anEvent}(,${anEvent})*$`,
			maxLength: 64,
			description: `Automatic events, separated by commas: ${AUTOMATIC_EVENTS.join(", ")}`,
		}),
	),
});

const scriptAnswers = {
	200: {
		description: "The tracker with site id and token",
		// The body goes out as it is: a text, or its compressed bytes.
		content: { "application/javascript": { schema: Type.Unsafe<string | Uint8Array | undefined>(Type.String()) } },
	},
	304: Type.Unsafe<undefined>({ description: "Not modified" }),
	400: { description: "`bad_request`", ...ErrorRef },
	404: { description: "`account_not_found`", ...ErrorRef },
};

interface TrackerScriptDeps {
	readonly sites: SiteDirectory;
	/** Key of the collection tokens; the collector checks with the same one. */
	readonly secret: string;
	readonly clock: Clock;
	readonly requests: ScriptRequests;
	/** Address of the service; without it the address of each request. */
	readonly publicUrl: string | undefined;
}

/** Compressing takes six times as long as all the rest, and a site's script is the same for an hour. */
const PACKED_SCRIPTS = 1000;
/** Scripts that an address has packed well, and kept, in a minute: a site has a few. */
const PACKED_OF_ADDRESS = 30;

/** The smallest form, made on another thread. */
const packWell: Readonly<Record<Encoding, (text: string) => Promise<Buffer>>> = {
	br: promisify<string, Buffer>(brotliCompress),
	gzip: (text) => promisify<string, { level: number }, Buffer>(gzip)(text, { level: 9 }),
};
/** A tenth larger, at a twentieth of the time. */
const packQuickly: Readonly<Record<Encoding, (text: string) => Buffer>> = {
	br: (text) => brotliCompressSync(text, { params: { [constants.BROTLI_PARAM_QUALITY]: 5 } }),
	gzip: (text) => gzipSync(text),
};

const WRONG_QUERY = `Missing or invalid id, group or events; events are any of ${AUTOMATIC_EVENTS.join(",")}`;

const headers = {
	"access-control-allow-origin": "*",
	"cache-control": "public,max-age=3600",
	"content-type": "application/javascript; charset=utf-8",
	"cross-origin-resource-policy": "cross-origin",
	vary: "Accept-Encoding",
};

/** Registers `GET` and `HEAD /t.js`, the tracker of one site. Throws when the tracker was not built. */
export function registerTrackerScript(app: App, deps: TrackerScriptDeps): void {
	const trackers = readTrackers();
	const packed = new LruMap<string, Promise<Buffer>>(PACKED_SCRIPTS);
	const misses = new MemoryRateCounter();
	/** A client can request as many texts as there are groups: those of one address neither take much time nor push out all others. */
	const pack = (script: string, etag: string, encoding: Encoding, ip: string) => {
		const key = `${encoding} ${etag}`;
		const known = packed.get(key);
		if (known !== undefined) return known;
		const { count } = misses.hit(addressGroup(ip), MINUTE_MS, deps.clock.now());
		if (count > PACKED_OF_ADDRESS) return packQuickly[encoding](script);
		const made = packWell[encoding](script);
		packed.set(key, made);
		return made;
	};
	app.route({
		method: ["GET", "HEAD"],
		url: "/t.js",
		config: { guard: { kind: "public" }, limit: "none" },
		// A wrong query answers 400 here, not 422 as elsewhere.
		attachValidation: true,
		schema: {
			tags: ["Tracker"],
			summary: "Tracker script of a site",
			querystring: ScriptQuery,
			response: scriptAnswers,
		},
		handler: async (request, reply) => {
			if (request.validationError) throw new ServiceError("bad_request", { message: WRONG_QUERY });
			const { id, group = "", auto, spa, events = "" } = request.query;
			const site = deps.sites.get(id);
			if (!site?.isActive) throw new ServiceError("account_not_found");
			const now = deps.clock.now();
			if (request.method === "GET") deps.requests.add(id, now);
			const root = deps.publicUrl ?? `${request.protocol}://${request.host}`;
			const ofSite = site.automaticEvents.map((name) => (name === "not_found" ? "404" : name));
			const script = fillIn(trackers([...events.split(","), ...ofSite]), {
				FOOTFALL_ID: id,
				FOOTFALL_TOKEN: issueToken(deps.secret, id, now - (now % TOKEN_STEP_MS)),
				FOOTFALL_ROOT: root.endsWith("/") ? root : `${root}/`,
				FOOTFALL_GROUP: group,
				FOOTFALL_AUTO: auto !== "0",
				FOOTFALL_SPA: spa !== "0",
			});
			const etag = etagOf(script);
			reply.headers({ ...headers, etag });
			if (matches(request.headers["if-none-match"], etag)) return reply.code(304).send();
			const encoding = chooseEncoding(request.headers["accept-encoding"]);
			if (encoding === undefined) return reply.send(script);
			return reply.header("content-encoding", encoding).send(await pack(script, etag, encoding, request.ip));
		},
	});
}

import { systemActor } from "../features/auditing/audit-log/index.ts";
import { createToken, revokeToken } from "../features/people/api-tokens/index.ts";
import { ConfigError } from "../platform/config/config.ts";
import { systemClock } from "../platform/lib/clock.ts";
import type { Metadata } from "../platform/metadata/metadata.ts";
import { askService } from "./ask-service.ts";
import { describeArrivals, type PixelStatus, type Rejections } from "./describe-arrivals.ts";
import type { Output } from "./print-records.ts";
import { serviceOn } from "./settle-settings.ts";
import { siteNamed } from "./site-options.ts";
import { siteOwner } from "./site-owner.ts";
import { withMetadata } from "./with-metadata.ts";

const MINUTES = 1440;

/** `footfall sites check`: whether hits arrive, and why others were turned away. */
export async function checkSite(id: string, options: Output): Promise<void> {
	await withMetadata(async ({ metadata, config }) => {
		const site = await siteNamed(metadata, id);
		const service = serviceOn(process.env, config.dataDir);
		if (service === undefined) {
			throw new ConfigError(`No service is running on ${config.dataDir}: start it, as it counts rejected hits`);
		}
		const [status, rejections] = await withKey(metadata, [id], "footfall sites check", async (key) => {
			const ask = <T>(path: string) => readAnswer<T>(`${service.address}/api/v1/sites/${id}/pixel/${path}`, key);
			return [await ask<PixelStatus>("status"), await ask<Rejections>(`rejections?minutes=${MINUTES}`)];
		});
		const text =
			options.json === true
				? JSON.stringify({ ...status, ...rejections }, null, 2)
				: describeArrivals({ id, isActive: site.is_active === 1, status, rejections });
		process.stdout.write(`${text}\n`);
	});
}

/** A key that lives as long as the questions that are asked with it. */
export async function withKey<T>(
	metadata: Metadata,
	siteIds: readonly string[],
	name: string,
	ask: (key: string) => Promise<T>,
): Promise<T> {
	const deps = { metadata, clock: systemClock };
	const owner = { userId: (await siteOwner(metadata)).id, actor: systemActor };
	const wanted = { name, scopes: ["sites:read"], siteIds: [...siteIds], expiresInDays: 1 } as const;
	const { row, value } = await createToken(deps, owner, wanted);
	try {
		return await ask(value);
	} finally {
		await revokeToken(deps, owner, row.id);
	}
}

async function readAnswer<T>(url: string, key: string): Promise<T> {
	const { status, body } = await askService(url, { headers: { "x-api-key": key } });
	const answer = Object(JSON.parse(body));
	if (status >= 400) throw new Error(`The service answered ${status}: ${answer.error?.message}`);
	return answer.data as T;
}

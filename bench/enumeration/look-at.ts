import { randomInt } from "node:crypto";
import { performance } from "node:perf_hooks";
import {
	type AddressKind,
	askAbout,
	type EnumerationApp,
	type Flow,
} from "../../packages/server/test/support/enumeration.ts";
import { type Comparison, compareTimings } from "./compare-timings.ts";

const WARM_UP = 10;

/** Addresses of each kind that `lookAt` needs: as many again for a second measurement. */
export const addressesFor = (tries: number): number => 2 * (tries + WARM_UP);

/** The timings of one kind of address in a flow, compared with those of the first kind. */
export interface Finding extends Comparison {
	readonly kind: AddressKind;
	/** True when the time tells the kinds apart, in two measurements. */
	readonly isTold: boolean;
}

/**
 * Whether the time of a flow tells what kind an address is of: asks `tries` times for each kind, in an order that chance decides
 * anew each time, and once more where the times seem to differ.
 */
export async function lookAt(on: EnumerationApp, flow: Flow, tries: number): Promise<Finding[]> {
	const [reference, ...others] = flow.kinds;
	const compare = (times: Times, kind: AddressKind) =>
		compareTimings(times.get(kind) ?? [], times.get(reference) ?? []);
	const first = await measure(on, flow, { from: 0, tries });
	const findings = others.map((kind) => ({ kind, ...compare(first, kind) }));
	const again = findings.some(({ differ }) => differ)
		? await measure(on, flow, { from: tries + WARM_UP, tries })
		: undefined;
	return findings.map((finding) => ({
		...finding,
		isTold: finding.differ && again !== undefined && compare(again, finding.kind).differ,
	}));
}

type Times = ReadonlyMap<AddressKind, number[]>;

async function measure(on: EnumerationApp, flow: Flow, { from, tries }: { from: number; tries: number }) {
	const times = new Map(flow.kinds.map((kind): [AddressKind, number[]] => [kind, []]));
	for (let index = 0; index < tries + WARM_UP; index++) {
		for (const kind of shuffled(flow.kinds)) {
			const start = performance.now();
			await askAbout(on, flow, kind, from + index);
			if (index >= WARM_UP) times.get(kind)?.push(performance.now() - start);
		}
	}
	return times;
}

function shuffled<T>(items: readonly T[]): T[] {
	const left = [...items];
	return items.flatMap(() => left.splice(randomInt(left.length), 1));
}

import { getHeapStatistics, setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";

/** Frees all memory that nothing holds on to any more. */
export function collectGarbage(): void {
	setFlagsFromString("--expose-gc");
	const collect: () => void = runInNewContext("gc");
	collect();
	collect();
}

/** Bytes of the heap that something still holds on to. */
export function liveHeap(): number {
	collectGarbage();
	return getHeapStatistics().used_heap_size;
}

import { getHeapStatistics, setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";

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

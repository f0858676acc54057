import { getHeapStatistics, setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";

/** Bytes of the heap that something still holds on to. */
export function liveHeap(): number {
	setFlagsFromString("--expose-gc");
	const collect: () => void = runInNewContext("gc");
	collect();
	collect();
	return getHeapStatistics().used_heap_size;
}

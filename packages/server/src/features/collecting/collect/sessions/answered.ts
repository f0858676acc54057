/** A server that takes longer is as good as gone: no hit waits for it. */
const ANSWER_MS = 500;
/** A timer that is so far off its time tells of this process, which was busy itself, and not of the server. */
const BUSY_MS = 50;

/** Redis is not reached, hangs, or cannot write. */
export class RedisAway extends Error {
	override readonly name = "RedisAway";
}

/** The answer of Redis; {@link RedisAway} when it is an error or takes longer than half a second. */
export async function answered<T>(answer: Promise<T>): Promise<T> {
	const { promise: late, reject } = Promise.withResolvers<never>();
	let began = performance.now();
	const timer = setInterval(() => {
		const waited = performance.now() - began;
		began = performance.now();
		if (Math.abs(waited - ANSWER_MS) < BUSY_MS) reject(new RedisAway("Redis took too long"));
	}, ANSWER_MS);
	try {
		return await Promise.race([answer, late]);
	} catch (error) {
		throw error instanceof RedisAway ? error : new RedisAway("Redis does not answer", { cause: error });
	} finally {
		clearInterval(timer);
	}
}

/** Runs while no other tab holds the lock. Without HTTPS browsers know no locks: each tab is then on its own. */
export function withLock<T>(name: string, run: () => Promise<T>, signal?: AbortSignal): Promise<T> {
	if (!isSecureContext) return run();
	return navigator.locks.request(name, { ...(signal && { signal }) }, run) as Promise<T>;
}

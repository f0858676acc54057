/** The order of evaluation: higher priority first, on a tie the older rule. */
interface Ranked {
	readonly id: number;
	readonly priority: number;
}

const [least, greatest] = [0, 1000];
/** Distance between neighbours where possible, so that another rule fits between them. */
const gap = 10;

/**
 * The priorities that put rules into this order, of those that need another one. Mostly it is the one that has been
 * moved; where its neighbours leave no room, all are renumbered.
 */
export function prioritiesFor(order: readonly Ranked[], movedId: number): readonly Ranked[] {
	const at = order.findIndex(({ id }) => id === movedId);
	const priority = between(order[at - 1], order[at + 1], movedId);
	if (priority !== undefined) return [{ id: movedId, priority }];
	const step = Math.floor(greatest / (order.length + 1));
	return order
		.map(({ id }, place) => ({ id, priority: greatest - step * (place + 1) }))
		.filter((next, place) => next.priority !== order[place]?.priority);
}

function between(above: Ranked | undefined, below: Ranked | undefined, id: number): number | undefined {
	// A neighbour's own priority will do where the age of the two decides as wanted.
	const top = above === undefined ? greatest : above.priority - (above.id < id ? 0 : 1);
	const bottom = below === undefined ? least : below.priority + (below.id > id ? 0 : 1);
	if (bottom > top) return undefined;
	if (above === undefined) return Math.min(top, bottom + gap);
	if (below === undefined) return Math.max(bottom, top - gap);
	return Math.floor((top + bottom) / 2);
}

/** A part of a whole that a table tells: so many of it belong to this. */
export interface Share<Label> {
	readonly label: Label;
	readonly count: number;
}

/** So many of a whole that belong to one share of each table; none, where a table has fewer than there are. */
export interface Cell<Label> {
	readonly labels: readonly Label[];
	readonly count: number;
}

/**
 * Divides a whole so that the parts of every table come out as the table says. Each table is laid along the whole, one share
 * after the other, and the whole is cut wherever a share of any table ends: there are no more cells than shares. Tables that tell
 * of more than the whole are shortened in proportion. Which shares of two tables meet is no fact; the order decides it.
 */
export function coupleShares<Label>(whole: number, tables: readonly (readonly Share<Label>[])[]): Cell<Label>[] {
	const cursors = tables.map((table) => ({ shares: fitted(table, whole), at: 0, used: 0 }));
	const cells: Cell<Label>[] = [];
	for (let left = whole; left > 0; ) {
		const labels: Label[] = [];
		let count = left;
		for (const { shares, at, used } of cursors) {
			const share = shares[at];
			if (share === undefined) continue;
			labels.push(share.label);
			count = Math.min(count, share.count - used);
		}
		for (const cursor of cursors) {
			const share = cursor.shares[cursor.at];
			if (share === undefined) continue;
			cursor.used += count;
			if (cursor.used < share.count) continue;
			cursor.at++;
			cursor.used = 0;
		}
		cells.push({ labels, count });
		left -= count;
	}
	return cells;
}

/** Shares of at most the whole: in proportion, the largest remainders first, where they are more. */
function fitted<Label>(shares: readonly Share<Label>[], whole: number): Share<Label>[] {
	const sum = shares.reduce((total, { count }) => total + count, 0);
	const some = shares.filter(({ count }) => count > 0);
	if (sum <= whole) return some;
	const exact = some.map(({ count }) => (count * whole) / sum);
	const counts = exact.map(Math.floor);
	const missing = whole - counts.reduce((total, count) => total + count, 0);
	const byRemainder = exact.map((value, index) => ({ index, rest: value - Math.floor(value) }));
	byRemainder.sort((one, other) => other.rest - one.rest || one.index - other.index);
	for (const { index } of byRemainder.slice(0, missing)) counts[index] = (counts[index] ?? 0) + 1;
	return some.flatMap(({ label }, index) => ((counts[index] ?? 0) > 0 ? [{ label, count: counts[index] ?? 0 }] : []));
}

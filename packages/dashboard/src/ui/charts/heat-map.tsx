import { type KeyboardEvent, useRef, useState } from "react";
import { classes } from "../../lib/classes.ts";
import { limitsOf, shadeOf } from "../../lib/shades.ts";
import styles from "./heat-map.module.css";

/** A cell by the places of its row and column. */
export interface HeatCell {
	readonly row: number;
	readonly column: number;
}

interface HeatMapProps {
	/** Names the table for screen readers. */
	readonly label: string;
	readonly rows: readonly string[];
	readonly columns: readonly string[];
	readonly valueAt: (cell: HeatCell) => number;
	/** The cell in words, with its figure. */
	readonly say: (cell: HeatCell) => string;
	readonly write: (value: number) => string;
	readonly isChosen: (cell: HeatCell) => boolean;
	/** Click on a cell; without it cells are not buttons. */
	readonly onChoose?: ((cell: HeatCell) => void) | undefined;
}

/** Figures as shades in rows and columns. One stop of the Tab key: the arrows move between cells. */
export function HeatMap({ label, rows, columns, valueAt, say, write, isChosen, onChoose }: HeatMapProps) {
	const table = useRef<HTMLTableElement>(null);
	const [at, setAt] = useState<HeatCell>({ row: 0, column: 0 });
	const [looked, setLooked] = useState<HeatCell>();
	const limits = limitsOf(
		rows.flatMap((_, row) => columns.map((__, column) => valueAt({ row, column }))),
		"even",
	);
	const move = (event: KeyboardEvent) => {
		const next = stepped(at, event.key, rows.length, columns.length);
		if (next === undefined) return;
		event.preventDefault();
		event.stopPropagation();
		setAt(next);
		table.current?.rows[next.row + 1]?.cells[next.column + 1]?.focus();
	};
	return (
		<div className={styles.heat}>
			{/* biome-ignore lint/a11y/noNoninteractiveElementToInteractiveRole: a table whose cells act is a grid (WAI-ARIA, grid pattern). */}
			<table ref={table} role="grid" className={styles.table} aria-label={label} onKeyDown={move}>
				<thead>
					<tr>
						<td />
						{columns.map((column, place) => (
							<th key={column} scope="col">
								<span className={place % 3 === 0 ? styles.head : "visually-hidden"}>{column}</span>
							</th>
						))}
					</tr>
				</thead>
				<tbody onPointerLeave={() => setLooked(undefined)}>
					{rows.map((name, row) => (
						<tr key={name}>
							<th scope="row">{name}</th>
							{columns.map((columnName, column) => {
								const cell = { row, column };
								return (
									<Cell
										key={columnName}
										said={say(cell)}
										shade={shadeOf(limits, valueAt(cell))}
										isChosen={isChosen(cell)}
										isStop={at.row === row && at.column === column}
										onLook={() => setLooked(cell)}
										onReach={() => setAt(cell)}
										onChoose={onChoose && (() => onChoose(cell))}
									/>
								);
							})}
						</tr>
					))}
				</tbody>
			</table>
			<Foot limits={limits} write={write} said={looked && say(looked)} />
		</div>
	);
}

interface CellProps {
	readonly said: string;
	readonly shade: number;
	readonly isChosen: boolean;
	/** True for the one cell that the Tab key reaches. */
	readonly isStop: boolean;
	readonly onLook: () => void;
	readonly onReach: () => void;
	readonly onChoose: (() => void) | undefined;
}

function Cell({ said, shade, isChosen, isStop, onLook, onReach, onChoose }: CellProps) {
	return (
		<td
			// biome-ignore lint/a11y/noNoninteractiveElementToInteractiveRole: a cell of that grid.
			role="gridcell"
			className={classes(styles.cell, styles[`shade${shade}`], !onChoose && styles.still)}
			aria-label={said}
			aria-selected={isChosen}
			tabIndex={isStop ? 0 : -1}
			onPointerEnter={onLook}
			onFocus={() => {
				onReach();
				onLook();
			}}
			onClick={onChoose}
			onKeyDown={(event) => {
				if (event.key !== "Enter" && event.key !== " ") return;
				event.preventDefault();
				onChoose?.();
			}}
		/>
	);
}

interface FootProps {
	readonly limits: readonly number[];
	readonly write: (value: number) => string;
	readonly said: string | undefined;
}

/** The cell under the pointer, or the legend. */
function Foot({ limits, write, said }: FootProps) {
	if (said !== undefined) return <p className={styles.foot}>{said}</p>;
	return (
		<ul className={styles.foot} aria-hidden="true">
			{limits.map((limit, place) => (
				<li key={limit}>
					<span className={classes(styles.swatch, styles[`shade${place + 1}`])} /> {write(limit)}+
				</li>
			))}
		</ul>
	);
}

function stepped({ row, column }: HeatCell, key: string, rows: number, columns: number): HeatCell | undefined {
	const within = (value: number, count: number) => Math.max(0, Math.min(count - 1, value));
	switch (key) {
		case "ArrowLeft":
			return { row, column: within(column - 1, columns) };
		case "ArrowRight":
			return { row, column: within(column + 1, columns) };
		case "ArrowUp":
			return { row: within(row - 1, rows), column };
		case "ArrowDown":
			return { row: within(row + 1, rows), column };
		case "Home":
			return { row, column: 0 };
		case "End":
			return { row, column: columns - 1 };
		default:
			return undefined;
	}
}

import { ArrowLeft, ArrowRight, Plus, Shuffle, X } from "lucide-react";
import { type DragEvent, type ReactNode, useState } from "react";
import { Button } from "../../ui/button/button.tsx";
import { Popover } from "../../ui/popover/popover.tsx";
import { type Dimension, dimensionLabels, metricOf } from "../site/index.ts";
import styles from "./axes.module.css";
import { type FigureKey, figureKeys, meaningful } from "./figures.ts";
import { dimensions, mostColumns, mostFigures, mostRows, type Pivot } from "./pivot.ts";
import { t } from "./texts.ts";

type Axis = "rows" | "columns";
const room: Readonly<Record<Axis, number>> = { rows: mostRows, columns: mostColumns };

interface AxesProps {
	readonly pivot: Pivot;
	readonly onChange: (pivot: Pivot) => void;
}

const swapped = <T,>(list: readonly T[], at: number, to: number): readonly T[] => {
	const item = list[at];
	return item === undefined ? list : list.toSpliced(at, 1).toSpliced(to, 0, item);
};

/** Rows, columns and metrics of the pivot. Each can be added, moved and removed by mouse and keyboard. */
export function Axes({ pivot, onChange }: AxesProps) {
	const [dragged, setDragged] = useState<Dimension>();
	const drop = (axis: Axis) => {
		if (dragged !== undefined) onChange(placed(pivot, dragged, axis));
		setDragged(undefined);
	};
	return (
		<div className={styles.axes}>
			{(["rows", "columns"] as const).map((axis) => (
				<DimensionAxis
					key={axis}
					axis={axis}
					pivot={pivot}
					onChange={onChange}
					onDrag={setDragged}
					onDrop={() => drop(axis)}
				/>
			))}
			<FigureAxis pivot={pivot} onChange={onChange} />
		</div>
	);
}

/** A dimension on one axis alone, at its end; an axis that is full gives its last one back. */
function placed(pivot: Pivot, name: Dimension, axis: Axis): Pivot {
	const [rows, columns] = [pivot.rows, pivot.columns].map((list) => list.filter((one) => one !== name));
	const without = { ...pivot, rows: rows ?? [], columns: columns ?? [] };
	return { ...without, [axis]: [...without[axis].slice(0, room[axis] - 1), name] };
}

interface DimensionAxisProps extends AxesProps {
	readonly axis: Axis;
	readonly onDrag: (name: Dimension) => void;
	readonly onDrop: () => void;
}

function DimensionAxis({ axis, pivot, onChange, onDrag, onDrop }: DimensionAxisProps) {
	const chosen = pivot[axis];
	const set = (list: readonly Dimension[]) => onChange({ ...pivot, [axis]: list });
	const other: Axis = axis === "rows" ? "columns" : "rows";
	const left = dimensions.filter((name) => !pivot.rows.includes(name) && !pivot.columns.includes(name));
	return (
		<AxisBox
			label={t[axis]}
			onDrop={onDrop}
			add={
				chosen.length < room[axis] && (
					<AddMenu
						name={axis === "rows" ? t.addRow : t.addColumn}
						items={left.map((name) => ({ key: name, label: dimensionLabels[name] }))}
						onAdd={(name) => set([...chosen, name])}
					/>
				)
			}
		>
			{chosen.map((name, at) => (
				<Chip
					key={name}
					label={dimensionLabels[name]}
					onRemove={() => set(chosen.filter((one) => one !== name))}
					onDrag={() => onDrag(name)}
					menu={(close) => (
						<Moves
							at={at}
							count={chosen.length}
							onMove={(to) => set(swapped(chosen, at, to))}
							other={axis === "rows" ? t.toColumns : t.toRows}
							onOther={() => onChange(placed(pivot, name, other))}
							close={close}
						/>
					)}
				/>
			))}
		</AxisBox>
	);
}

function FigureAxis({ pivot, onChange }: AxesProps) {
	const { figures } = pivot;
	const set = (list: readonly FigureKey[]) => onChange({ ...pivot, figures: list });
	const left = meaningful(figureKeys, [...pivot.rows, ...pivot.columns]).filter((key) => !figures.includes(key));
	return (
		<AxisBox
			label={t.figures}
			add={
				figures.length < mostFigures && (
					<AddMenu
						name={t.addFigure}
						items={left.map((key) => ({ key, label: metricOf(key).label }))}
						onAdd={(key) => set([...figures, key])}
					/>
				)
			}
		>
			{figures.map((key, at) => (
				<Chip
					key={key}
					label={metricOf(key).label}
					onRemove={figures.length > 1 ? () => set(figures.filter((one) => one !== key)) : undefined}
					menu={(close) => (
						<Moves at={at} count={figures.length} onMove={(to) => set(swapped(figures, at, to))} close={close} />
					)}
				/>
			))}
		</AxisBox>
	);
}

interface AxisBoxProps {
	readonly label: string;
	readonly onDrop?: () => void;
	/** Adds to it, as long as there is room. */
	readonly add: ReactNode;
	/** Its entries. */
	readonly children: ReactNode;
}

const AxisBox = ({ label, onDrop, add, children }: AxisBoxProps) => (
	<fieldset
		className={styles.axis}
		onDragOver={onDrop && ((event: DragEvent) => event.preventDefault())}
		onDrop={onDrop}
	>
		<legend className={styles.legend}>{label}</legend>
		<ul className={styles.chips}>{children}</ul>
		{add}
	</fieldset>
);

interface ChipProps {
	readonly label: string;
	readonly menu: (close: () => void) => ReactNode;
	readonly onRemove: (() => void) | undefined;
	readonly onDrag?: () => void;
}

const Chip = ({ label, menu, onRemove, onDrag }: ChipProps) => (
	<li className={styles.chip} draggable={onDrag !== undefined} onDragStart={onDrag}>
		<Popover label={label} look="quiet" small>
			{menu}
		</Popover>
		{onRemove && (
			<button type="button" className={styles.remove} aria-label={t.remove(label)} onClick={onRemove}>
				<X size={14} aria-hidden="true" />
			</button>
		)}
	</li>
);

interface MovesProps {
	readonly at: number;
	readonly count: number;
	readonly onMove: (to: number) => void;
	readonly other?: string;
	readonly onOther?: () => void;
	readonly close: () => void;
}

function Moves({ at, count, onMove, other, onOther, close }: MovesProps) {
	const after = (act: () => void) => () => {
		close();
		act();
	};
	return (
		<div className={styles.menu}>
			<Button small look="quiet" disabled={at === 0} onClick={after(() => onMove(at - 1))}>
				<ArrowLeft size={16} aria-hidden="true" /> {t.earlier}
			</Button>
			<Button small look="quiet" disabled={at === count - 1} onClick={after(() => onMove(at + 1))}>
				<ArrowRight size={16} aria-hidden="true" /> {t.later}
			</Button>
			{onOther && (
				<Button small look="quiet" onClick={after(onOther)}>
					<Shuffle size={16} aria-hidden="true" /> {other}
				</Button>
			)}
		</div>
	);
}

interface AddMenuProps<Key extends string> {
	readonly name: string;
	readonly items: readonly { readonly key: Key; readonly label: string }[];
	readonly onAdd: (key: Key) => void;
}

function AddMenu<Key extends string>({ name, items, onAdd }: AddMenuProps<Key>) {
	return (
		<Popover label={<Plus size={16} aria-hidden="true" />} name={name} look="quiet" small icon>
			{(close) => (
				<div className={styles.menu}>
					{items.map(({ key, label }) => (
						<Button
							key={key}
							small
							look="quiet"
							onClick={() => {
								close();
								onAdd(key);
							}}
						>
							{label}
						</Button>
					))}
				</div>
			)}
		</Popover>
	);
}

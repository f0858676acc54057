import { ArrowDown, ArrowUp, GripVertical, X } from "lucide-react";
import { type DragEvent, useState } from "react";
import { classes } from "../../lib/classes.ts";
import { Button } from "../../ui/button/button.tsx";
import field from "../../ui/field/field.module.css";
import styles from "./funnels-screen.module.css";
import { asked, fewest, most, moved, type Step } from "./steps.ts";
import { t } from "./texts.ts";

interface StepEditorProps {
	readonly steps: readonly Step[];
	/** Called with what a change makes of the steps. */
	readonly onChange: (steps: readonly Step[]) => void;
	readonly pages: readonly string[];
	readonly events: readonly string[];
}

const withStep = (steps: readonly Step[], at: number, step: Step) =>
	steps.map((one, index) => (index === at ? step : one));

/** The steps of a funnel: each is written or chosen, moved by its buttons or by dragging, and taken away. */
export function StepEditor({ steps, onChange, pages, events }: StepEditorProps) {
	const [dragged, setDragged] = useState<number>();
	const drop = (at: number) => {
		if (dragged !== undefined && dragged !== at) onChange(moved(steps, dragged, at));
		setDragged(undefined);
	};
	const add = (kind: Step["kind"]) => onChange([...steps, { kind, value: "" }]);
	return (
		<>
			<Suggestions id="funnel-pages" values={pages} />
			<Suggestions id="funnel-events" values={events} />
			<ol aria-label={t.steps} className={styles.steps}>
				{steps.map((step, at) => (
					<StepRow
						// Steps may be equal: their place is what tells them apart.
						// biome-ignore lint/suspicious/noArrayIndexKey: see above.
						key={at}
						at={at}
						step={step}
						count={steps.length}
						isDragged={dragged === at}
						onStep={(next) => onChange(withStep(steps, at, next))}
						onMove={(to) => onChange(moved(steps, at, to))}
						onRemove={() => onChange(steps.toSpliced(at, 1))}
						onDrag={() => setDragged(at)}
						onDrop={() => drop(at)}
					/>
				))}
			</ol>
			<p className={styles.add}>
				<Button small onClick={() => add("page")} disabled={steps.length >= most}>
					{t.addPage}
				</Button>
				<Button small onClick={() => add("event")} disabled={steps.length >= most}>
					{t.addEvent}
				</Button>
				{steps.length > 0 && (
					<Button small look="quiet" onClick={() => onChange([])}>
						{t.clear}
					</Button>
				)}
			</p>
		</>
	);
}

const Suggestions = ({ id, values }: { readonly id: string; readonly values: readonly string[] }) => (
	<datalist id={id}>
		{values.map((value) => (
			<option key={value} value={value} />
		))}
	</datalist>
);

interface StepRowProps {
	readonly at: number;
	readonly step: Step;
	readonly count: number;
	readonly isDragged: boolean;
	readonly onStep: (step: Step) => void;
	readonly onMove: (to: number) => void;
	readonly onRemove: () => void;
	readonly onDrag: () => void;
	readonly onDrop: () => void;
}

function StepRow({ at, step, count, isDragged, onStep, onMove, onRemove, onDrag, onDrop }: StepRowProps) {
	const number = at + 1;
	const allow = (event: DragEvent) => event.preventDefault();
	return (
		<li
			className={classes(styles.step, isDragged && styles.dragged)}
			onDragOver={allow}
			onDrop={(event) => {
				event.preventDefault();
				onDrop();
			}}
		>
			{/* biome-ignore lint/a11y/noStaticElementInteractions: the buttons beside it do the same by keyboard. */}
			<span className={styles.grip} title={t.drag} draggable onDragStart={onDrag}>
				<GripVertical size={16} aria-hidden="true" />
			</span>
			<span className={styles.number} aria-hidden="true">
				{number}
			</span>
			<select
				aria-label={t.kind(number)}
				className={field.input}
				value={step.kind}
				onChange={(event) => onStep({ kind: event.target.value === "event" ? "event" : "page", value: "" })}
			>
				<option value="page">{t.page}</option>
				<option value="event">{t.event}</option>
			</select>
			<StepValue at={at} step={step} onStep={onStep} />
			<StepButtons number={number} count={count} isBlank={step.value === ""} onMove={onMove} onRemove={onRemove} />
		</li>
	);
}

interface StepButtonsProps extends Pick<StepRowProps, "count" | "onMove" | "onRemove"> {
	/** From 1 on. */
	readonly number: number;
	readonly isBlank: boolean;
}

const StepButtons = ({ number, count, isBlank, onMove, onRemove }: StepButtonsProps) => (
	<span className={styles.buttons}>
		<Button
			small
			icon
			look="quiet"
			aria-label={t.up(number)}
			disabled={number === 1}
			onClick={() => onMove(number - 2)}
		>
			<ArrowUp size={16} aria-hidden="true" />
		</Button>
		<Button
			small
			icon
			look="quiet"
			aria-label={t.down(number)}
			disabled={number === count}
			onClick={() => onMove(number)}
		>
			<ArrowDown size={16} aria-hidden="true" />
		</Button>
		<Button
			small
			icon
			look="quiet"
			aria-label={t.remove(number)}
			disabled={count <= fewest && isBlank}
			onClick={onRemove}
		>
			<X size={16} aria-hidden="true" />
		</Button>
	</span>
);

/** The text of a step; it is taken when one leaves the field, presses Enter, or chooses a suggestion. */
function StepValue({
	at,
	step,
	onStep,
}: {
	readonly at: number;
	readonly step: Step;
	readonly onStep: (step: Step) => void;
}) {
	const [typed, setTyped] = useState({ text: step.value, of: step });
	// The address is ahead of what was typed: steps have moved, or one has gone back.
	const isOld = typed.of.kind !== step.kind || typed.of.value !== step.value;
	const value = isOld ? step.value : typed.text;
	const take = (text: string) => {
		const next = { kind: step.kind, value: asked({ kind: step.kind, value: text }) };
		if (next.value !== step.value) onStep(next);
	};
	return (
		<input
			aria-label={t.value(at + 1)}
			className={field.input}
			list={step.kind === "page" ? "funnel-pages" : "funnel-events"}
			placeholder={step.kind === "page" ? t.pagePlaceholder : t.eventPlaceholder}
			value={value}
			maxLength={400}
			spellCheck={false}
			onChange={(event) => {
				setTyped({ text: event.target.value, of: step });
				// A suggestion replaces the text as a whole, without a key.
				if (!(event.nativeEvent instanceof InputEvent) || event.nativeEvent.inputType === "insertReplacementText") {
					take(event.target.value);
				}
			}}
			onBlur={() => take(value)}
			onKeyDown={(event) => event.key === "Enter" && take(value)}
		/>
	);
}

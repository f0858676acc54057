import { X } from "lucide-react";
import { useState } from "react";
import { classes } from "../../lib/classes.ts";
import { moved } from "../../lib/moved.ts";
import { readablePath } from "../../lib/readable-path.ts";
import { Button } from "../../ui/button/button.tsx";
import field from "../../ui/field/field.module.css";
import { Grip, MoveButtons, useDragging } from "../../ui/reorder/reorder.tsx";
import styles from "./funnels-screen.module.css";
import { asked, fewest, most, type Step } from "./steps.ts";
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
	const dragging = useDragging((from, to) => onChange(moved(steps, from, to)));
	const add = (kind: Step["kind"]) => onChange([...steps, { kind, value: "" }]);
	return (
		<>
			<Suggestions id="funnel-pages" values={pages} />
			<Suggestions id="funnel-events" values={events} />
			<ol aria-label={t.steps} className={styles.steps}>
				{steps.map((step, at) => (
					<StepRow
						// biome-ignore lint/suspicious/noArrayIndexKey: steps may be equal: their place is what tells them apart.
						key={at}
						at={at}
						step={step}
						count={steps.length}
						dragging={dragging}
						onStep={(next) => onChange(withStep(steps, at, next))}
						onMove={(to) => onChange(moved(steps, at, to))}
						onRemove={() => onChange(steps.toSpliced(at, 1))}
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
	readonly dragging: ReturnType<typeof useDragging>;
	readonly onStep: (step: Step) => void;
	readonly onMove: (to: number) => void;
	readonly onRemove: () => void;
}

function StepRow({ at, step, count, dragging, onStep, onMove, onRemove }: StepRowProps) {
	const number = at + 1;
	return (
		<li className={classes(styles.step, dragging.dragged === at && styles.dragged)} {...dragging.row(at)}>
			<Grip {...dragging.grip(at)} />
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
		<MoveButtons name={t.step(number)} at={number - 1} count={count} onMove={onMove} />
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
	const shown = step.kind === "page" ? readablePath(step.value) : step.value;
	const [typed, setTyped] = useState({ text: shown, of: step });
	// The address is ahead of what was typed: steps have moved, or one has gone back.
	const isOld = typed.of.kind !== step.kind || typed.of.value !== step.value;
	const value = isOld ? shown : typed.text;
	const take = (text: string) => {
		const next = { kind: step.kind, value: asked({ kind: step.kind, value: text }) };
		if (next.value !== shown) onStep(next);
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

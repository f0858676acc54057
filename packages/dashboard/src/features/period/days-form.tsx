import { type KeyboardEvent, useEffect, useId, useRef, useState } from "react";
import { classes } from "../../lib/classes.ts";
import { addDays, daysBetween, dayWithin, isDay } from "../../lib/days.ts";
import { Failure } from "../../lib/failure.ts";
import { day as dayText, longWeekdays, month as monthText, weekdays } from "../../lib/format.ts";
import { useForm } from "../../lib/use-form.ts";
import { Button } from "../../ui/button/button.tsx";
import { Field } from "../../ui/field/field.tsx";
import { useWeekOrder } from "../preferences/index.ts";
import { type Days, longestRange, useSite } from "../site/index.ts";
import calendarStyles from "./calendar.module.css";
import { useFirstDay } from "./first-day.ts";
import styles from "./period-controls.module.css";
import { StepButton } from "./step-button.tsx";
import { t } from "./texts.ts";

interface DaysFormProps {
	readonly legend: string;
	/** Initial dates. */
	readonly days: Days;
	readonly latest: string;
	readonly onChoose: (days: Days) => void;
}

/** Two days of one's choice between the first data and the latest day, typed or chosen in a calendar. */
export function DaysForm({ legend, days, latest, onChoose }: DaysFormProps) {
	const { first: earliest = "" } = useFirstDay(useSite().id);
	const within = (day: string) => dayWithin(day, earliest, latest);
	const [edited, setEdited] = useState<Partial<Days>>({});
	const [at, setAt] = useState(days.to);
	const chosen = { from: within(days.from), to: within(days.to), ...edited };
	const form = useForm(async () => {
		const fault = faultOf(chosen);
		if (fault !== undefined) {
			const detail = [{ field: "body.to", message: fault }];
			throw new Failure(fault, { status: 422, code: "validation_error", detail });
		}
		onChoose(chosen);
	});
	const field = (name: keyof Days) => ({
		name,
		type: "date",
		required: true,
		min: earliest,
		max: latest,
		value: chosen[name],
		onChange: ({ target }: { readonly target: HTMLInputElement }) => {
			setEdited({ ...edited, [name]: target.value });
			if (isDay(target.value)) setAt(target.value);
		},
	});
	return (
		<form className={styles.own} onSubmit={form.onSubmit}>
			<fieldset>
				<legend>{legend}</legend>
				<Field label={t.from} {...field("from")} />
				<Field label={t.to} {...field("to")} error={form.errorOf("to")} />
			</fieldset>
			<Calendar
				chosen={chosen}
				at={within(at)}
				earliest={earliest}
				latest={latest}
				onMove={setAt}
				onChoose={setEdited}
			/>
			<Button type="submit" look="primary">
				{t.apply}
			</Button>
		</form>
	);
}

function faultOf({ from, to }: Days): string | undefined {
	if (to < from) return t.turned;
	return daysBetween(from, to) > longestRange ? t.tooLong(longestRange) : undefined;
}

interface CalendarProps {
	/** The chosen days. */
	readonly chosen: Days;
	/** The day that the arrow keys move from; its month is shown. */
	readonly at: string;
	/** The days that may be chosen. */
	readonly earliest: string;
	readonly latest: string;
	readonly onMove: (day: string) => void;
	readonly onChoose: (days: Days) => void;
}

/** A month of which two days are chosen, by the keys of the date picker pattern (WAI-ARIA) too. */
function Calendar({ chosen, at, earliest, latest, onMove, onChoose }: CalendarProps) {
	const heading = useId();
	const { order, isKnown } = useWeekOrder();
	const stop = useRef<HTMLButtonElement>(null);
	const isMoved = useRef(false);
	/** The first of two days, until the second is chosen. */
	const [start, setStart] = useState<string>();
	const within = (day: string) => dayWithin(day, earliest, latest);
	const weeks = weeksOf(at, order);
	// A day must not move to another column under the finger.
	const look = classes(calendarStyles.days, !isKnown && calendarStyles.unknown);
	// The focus is outside of React, and the day's button comes with its month.
	useEffect(() => {
		if (isMoved.current && stop.current?.dataset["day"] === at) stop.current.focus();
		isMoved.current = false;
	}, [at]);
	const move = (event: KeyboardEvent) => {
		const next = moved(at, event, order);
		if (next === undefined) return;
		event.preventDefault();
		isMoved.current = within(next) !== at;
		onMove(within(next));
	};
	const turn = (by: 1 | -1) => onMove(within(addMonths(at, by)));
	const choose = (day: string) => {
		onMove(day);
		setStart(start === undefined ? day : undefined);
		const [from = day, to = day] = [start ?? day, day].sort();
		onChoose({ from, to });
	};
	return (
		<div className={calendarStyles.calendar}>
			<div className={calendarStyles.head}>
				<StepButton by={-1} name={t.earlierMonth} isOpen={earliest < firstOf(at)} onStep={() => turn(-1)} />
				<strong id={heading} aria-live="polite">
					{monthText(at, "long")}
				</strong>
				<StepButton by={1} name={t.laterMonth} isOpen={firstOf(addMonths(at, 1)) <= latest} onStep={() => turn(1)} />
			</div>
			{/* biome-ignore lint/a11y/noNoninteractiveElementToInteractiveRole: a table whose cells act is a grid (WAI-ARIA, grid pattern). */}
			<table role="grid" aria-multiselectable="true" aria-labelledby={heading} className={look} onKeyDown={move}>
				<thead>
					<tr>
						{order.map((weekday) => (
							<th key={weekday} scope="col" abbr={longWeekdays[weekday]}>
								{weekdays[weekday]}
							</th>
						))}
					</tr>
				</thead>
				<tbody>
					{weeks.map((week) => (
						<tr key={week[0]}>
							{week.map((day) =>
								firstOf(day) !== firstOf(at) ? (
									<td key={day} />
								) : (
									// biome-ignore lint/a11y: a cell of that grid, in which its button has the focus.
									<td key={day} role="gridcell" aria-selected={chosen.from <= day && day <= chosen.to}>
										<button
											ref={day === at ? stop : undefined}
											type="button"
											data-day={day}
											data-end={day === chosen.from || day === chosen.to || undefined}
											aria-label={dayText(day, "long")}
											aria-current={day === latest ? "date" : undefined}
											tabIndex={day === at ? 0 : -1}
											disabled={within(day) !== day}
											onClick={() => choose(day)}
										>
											{Number(day.slice(8))}
										</button>
									</td>
								),
							)}
						</tr>
					))}
				</tbody>
			</table>
			<p role="status" className={calendarStyles.status}>
				{start !== undefined && t.second}
			</p>
		</div>
	);
}

const firstOf = (day: string): string => `${day.slice(0, 8)}01`;

/** The same day of another month; the last one of a month that is too short. */
function addMonths(day: string, months: number): string {
	const [year, month, date] = day.split("-").map(Number) as [number, number, number];
	const last = new Date(Date.UTC(year, month + months, 0)).getUTCDate();
	return new Date(Date.UTC(year, month - 1 + months, Math.min(date, last))).toISOString().slice(0, 10);
}

/** The place of a day in the reader's week. */
const placeOf = (day: string, order: readonly number[]): number =>
	order.indexOf((new Date(`${day}T00:00:00Z`).getUTCDay() + 6) % 7);

/** The weeks of a day's month, whole. */
function weeksOf(day: string, order: readonly number[]): readonly (readonly string[])[] {
	const first = firstOf(day);
	const end = firstOf(addMonths(day, 1));
	const weeks: string[][] = [];
	for (let start = addDays(first, -placeOf(first, order)); start < end; start = addDays(start, 7))
		weeks.push(order.map((_, at) => addDays(start, at)));
	return weeks;
}

/** Where a key leads from a day. */
function moved(day: string, { key, shiftKey }: KeyboardEvent, order: readonly number[]): string | undefined {
	const place = placeOf(day, order);
	const days = { ArrowLeft: -1, ArrowRight: 1, ArrowUp: -7, ArrowDown: 7, Home: -place, End: 6 - place }[key];
	if (days !== undefined) return addDays(day, days);
	const months = { PageUp: -1, PageDown: 1 }[key];
	return months === undefined ? undefined : addMonths(day, months * (shiftKey ? 12 : 1));
}

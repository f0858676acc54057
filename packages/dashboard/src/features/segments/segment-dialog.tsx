import { useQuery } from "@tanstack/react-query";
import { Plus, X } from "lucide-react";
import { may } from "../../api/may.ts";
import { asFailure } from "../../lib/failure.ts";
import { count, percent } from "../../lib/format.ts";
import { textOf, useForm } from "../../lib/use-form.ts";
import { useKept } from "../../lib/use-kept.ts";
import { useRested } from "../../lib/use-rested.ts";
import { Button } from "../../ui/button/button.tsx";
import { Dialog } from "../../ui/dialog/dialog.tsx";
import { Field } from "../../ui/field/field.tsx";
import { RecordForm } from "../../ui/form/record-form.tsx";
import { Loaded } from "../../ui/loaded/loaded.tsx";
import { failureText } from "../../ui/page/failure-text.ts";
import { FilterList } from "../filters/index.ts";
import { type Site, useReport } from "../site/index.ts";
import styles from "./manage.module.css";
import { t } from "./manage-texts.ts";
import { emptyDraft, isEmpty, readFilters, type SegmentDraft, segmentColors, writeFilters } from "./segment-draft.ts";
import { descriptionOf, nameOf, type Segment } from "./segment-words.ts";
import { segmentQuery, useSegments, type WholeSegment } from "./use-segments.ts";

interface SegmentDialogProps {
	readonly site: Site;
	/** All that are there. */
	readonly segments: readonly Segment[];
	/** Of the one that is changed or shown; a new one without it. */
	readonly id?: string;
	readonly onClose: () => void;
}

/** A segment in the making, with the number of visits that it chooses; or one to look at, where it may not be changed. */
export const SegmentDialog = ({ id, ...props }: SegmentDialogProps) =>
	id === undefined ? (
		<Dialog shape="drawer" title={t.add} onClose={props.onClose}>
			<SegmentForm {...props} />
		</Dialog>
	) : (
		<Stored {...props} id={id} />
	);

function Stored({ id, ...props }: SegmentDialogProps & { readonly id: string }) {
	const { site, segments, onClose } = props;
	const known = segments.find((one) => one.id === id || one.name === id);
	const mayChange = may("PATCH /segments/{id}", site.role) && known?.is_system !== true;
	return (
		<Dialog shape="drawer" title={mayChange || !known ? t.edit : nameOf(known)} onClose={onClose}>
			<Loaded query={useQuery(segmentQuery(site.id, id))}>
				{(segment) =>
					mayChange ? <SegmentForm {...props} segment={segment} /> : <Shown site={site} segment={segment} />
				}
			</Loaded>
		</Dialog>
	);
}

function Shown({ site, segment }: { readonly site: Site; readonly segment: WholeSegment }) {
	const draft = readFilters(segment.filters);
	return (
		<div className="stack-16">
			{descriptionOf(segment) && <p>{descriptionOf(segment)}</p>}
			<ConditionGroups draft={draft} />
			<LiveCount site={site} draft={draft} />
		</div>
	);
}

const aboutOf = (values: FormData) => ({
	display_name: textOf(values, "display_name").trim(),
	description: textOf(values, "description").trim() || null,
	color: textOf(values, "color") || null,
});

interface SegmentFormProps extends Omit<SegmentDialogProps, "id"> {
	readonly segment?: WholeSegment;
}

function SegmentForm({ site, segments, segment, onClose }: SegmentFormProps) {
	const { add, change } = useSegments(site.id, segments);
	const name = `segment ${segment?.id ?? "new"}`;
	const [draft, setDraft, forget] = useKept<SegmentDraft>(
		`${name} conditions`,
		segment === undefined ? emptyDraft : readFilters(segment.filters),
	);
	const form = useForm(
		async (values) => {
			const to = { ...aboutOf(values), filters: writeFilters(draft) };
			await (segment === undefined ? add.mutateAsync(to) : change.mutateAsync({ segment, to }));
			forget();
			onClose();
		},
		{ draft: name },
	);
	const cancel = () => {
		forget();
		onClose();
	};
	// The editor of a condition is a form of its own, so that it stands outside of the one that is sent.
	return (
		<div className="stack-16">
			<ConditionGroups draft={draft} onChange={setDraft} error={form.errorOf("filters")} />
			<LiveCount site={site} draft={draft} />
			<RecordForm form={form} onCancel={cancel}>
				<Field
					label={t.name}
					name="display_name"
					defaultValue={segment?.display_name}
					required
					maxLength={100}
					autoComplete="off"
					error={form.errorOf("display_name") ?? form.errorOf("name")}
				/>
				<ColorField color={segment?.color ?? null} />
				<Field
					label={t.description}
					name="description"
					defaultValue={segment?.description ?? ""}
					maxLength={500}
					autoComplete="off"
				/>
			</RecordForm>
		</div>
	);
}

const palette = Object.entries(segmentColors) as [keyof typeof segmentColors, string][];

/** The colour by which a segment is known again; one that comes from elsewhere stays until another is chosen. */
function ColorField({ color }: { readonly color: string | null }) {
	const isForeign = color !== null && palette.every(([, value]) => value !== color.toLowerCase());
	const choices: readonly (readonly [string, string])[] = [
		["", t.noColor],
		...(isForeign ? [[color, t.ownColor] as const] : []),
		...palette.map(([name, value]) => [value, t.colors[name]] as const),
	];
	return (
		<fieldset className={styles.colors}>
			<legend>{t.color}</legend>
			{choices.map(([value, name]) => (
				<label key={value} className={styles.color}>
					<input
						type="radio"
						name="color"
						value={value}
						defaultChecked={(color ?? "").toLowerCase() === value.toLowerCase()}
					/>
					{value !== "" && <span className={styles.dot} style={{ background: value }} aria-hidden="true" />}
					{name}
				</label>
			))}
		</fieldset>
	);
}

const restMs = 300;

/** How many visits of the last 30 days a segment chooses, saved or not. */
function LiveCount({ site, draft }: { readonly site: Site; readonly draft: SegmentDraft }) {
	const filters = useRested(isEmpty(draft) ? undefined : JSON.stringify(writeFilters(draft)), restMs);
	const asked = { site_id: site.id, period: "30d" } as const;
	const all = useReport("GET /stats/overview", asked);
	const chosen = useReport("GET /stats/overview", {
		...asked,
		...(filters !== undefined && { segment_filters: filters }),
	});
	return (
		<p role="status" className={styles.count} data-loading={chosen.isFetching ? "" : undefined}>
			{chosen.error
				? (asFailure(chosen.error).detail[0]?.message ?? failureText(asFailure(chosen.error)))
				: chosen.data === undefined
					? t.counting
					: figures(chosen.data.traffic.entrances, all.data?.traffic.entrances)}
		</p>
	);
}

function figures(visits: number, all: number | undefined) {
	return (
		<>
			<strong>{t.visits(count(visits), visits)}</strong>
			{all ? <span>{t.share(percent((visits / all) * 100))}</span> : null}
		</>
	);
}

/** As many as the API takes. */
const [mostConditions, mostInGroup, mostGroups] = [20, 10, 10];

interface ConditionGroupsProps {
	readonly draft: SegmentDraft;
	/** Without it the conditions can only be looked at. */
	readonly onChange?: (draft: SegmentDraft) => void;
	readonly error?: string | undefined;
}

/** The conditions of a segment: all of a list, any of some groups, none of others. */
function ConditionGroups({ draft, onChange, error }: ConditionGroupsProps) {
	return (
		<div className="stack-12">
			<fieldset className={styles.part}>
				<legend>{t.all}</legend>
				<FilterList
					name={t.all}
					list={draft.all}
					most={mostConditions}
					onChange={onChange && ((all) => onChange({ ...draft, all }))}
				/>
			</fieldset>
			<Groups
				legend={t.any}
				hint={t.anyHint}
				between={t.or}
				add={t.addGroup}
				groups={draft.any}
				onChange={onChange && ((any) => onChange({ ...draft, any }))}
			/>
			<Groups
				legend={t.noneOf}
				hint={t.noneOfHint}
				between={t.or}
				add={t.addNoneGroup}
				groups={draft.none}
				onChange={onChange && ((none) => onChange({ ...draft, none }))}
			/>
			{error && <p className="fault">{error}</p>}
		</div>
	);
}

type Group = readonly string[];

interface GroupsProps {
	readonly legend: string;
	readonly hint: string;
	/** Stands between two groups. */
	readonly between: string;
	readonly add: string;
	readonly groups: readonly Group[];
	readonly onChange: ((groups: readonly Group[]) => void) | undefined;
}

function Groups({ legend, hint, between, add, groups, onChange }: GroupsProps) {
	if (groups.length === 0 && onChange === undefined) return null;
	return (
		<fieldset className={styles.part}>
			<legend>{legend}</legend>
			<p className="intro">{hint}</p>
			{groups.map((group, at) => {
				const name = `${legend}, ${t.group(at + 1)}`;
				return (
					// biome-ignore lint/suspicious/noArrayIndexKey: a group keeps its place while it is edited.
					<div key={at}>
						{at > 0 && <p className={styles.between}>{between}</p>}
						<div className={styles.group}>
							<FilterList
								name={name}
								list={group}
								most={mostInGroup}
								onChange={onChange && ((next) => onChange(groups.with(at, next)))}
							/>
							{onChange && (
								<Button
									look="quiet"
									small
									icon
									aria-label={t.removeGroup(name)}
									onClick={() => onChange(groups.toSpliced(at, 1))}
								>
									<X size={16} aria-hidden="true" />
								</Button>
							)}
						</div>
					</div>
				);
			})}
			{onChange && groups.length < mostGroups && (
				<p>
					<Button small onClick={() => onChange([...groups, []])}>
						<Plus size={16} aria-hidden="true" /> {add}
					</Button>
				</p>
			)}
		</fieldset>
	);
}

import { Plus, X } from "lucide-react";
import { Button } from "../../ui/button/button.tsx";
import { FilterList } from "../filters/index.ts";
import styles from "./manage.module.css";
import { t } from "./manage-texts.ts";
import type { SegmentDraft } from "./segment-draft.ts";

/** As many as the API takes. */
const [mostConditions, mostInGroup, mostGroups] = [20, 10, 10];

interface ConditionGroupsProps {
	readonly draft: SegmentDraft;
	/** Without it the conditions can only be looked at. */
	readonly onChange?: (draft: SegmentDraft) => void;
	readonly error?: string | undefined;
}

/** The conditions of a segment: all of a list, any of some groups, none of others. */
export function ConditionGroups({ draft, onChange, error }: ConditionGroupsProps) {
	return (
		<div className={styles.groups}>
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
			{error && <p className={styles.fault}>{error}</p>}
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
			<p className={styles.hint}>{hint}</p>
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

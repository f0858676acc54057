import { may } from "../../api/may.ts";
import { moved } from "../../lib/moved.ts";
import { Item, Items } from "../../ui/items/items.tsx";
import { RecordActions } from "../../ui/items/record-actions.tsx";
import { Grip, MoveButtons, useDragging } from "../../ui/reorder/reorder.tsx";
import { type Site, usePanel } from "../site/index.ts";
import { ruleWords } from "./rule-words.ts";
import { t } from "./texts.ts";
import { type Rule, useMoveRule, useRules } from "./use-rules.ts";

/** The site's own rules in the order in which they are asked; they are moved by dragging and by their buttons. */
export function OwnRules({ site, rules }: { readonly site: Site; readonly rules: readonly Rule[] }) {
	const move = useMoveRule(site.id);
	const put = (from: number, to: number) => {
		const rule = rules[from];
		if (rule !== undefined && !move.isBusy) move.run({ order: moved(rules, from, to), rule });
	};
	const dragging = useDragging(put);
	return (
		<Items label={t.own}>
			{rules.map((rule, at) => (
				<Row
					key={rule.id}
					site={site}
					rule={rule}
					at={at}
					count={rules.length}
					dragging={dragging}
					onMove={(to) => put(at, to)}
				/>
			))}
		</Items>
	);
}

interface RowProps {
	readonly site: Site;
	readonly rule: Rule;
	readonly at: number;
	readonly count: number;
	readonly dragging: ReturnType<typeof useDragging>;
	readonly onMove: (to: number) => void;
}

function Row({ site, rule, at, count, dragging, onMove }: RowProps) {
	const { change, remove } = useRules(site.id);
	const panel = usePanel();
	const { channel_name: name, is_active: isActive } = rule;
	const said = `${ruleWords(rule)} · ${t.priorityOf(rule.priority)}`;
	const state = isActive ? ({ text: t.live, tone: "good" } as const) : ({ text: t.draft, tone: "warn" } as const);
	if (!may("PATCH /channel-groups/{rule_id}", site.role)) return <Item title={name} facts={said} state={state} />;
	return (
		<Item
			title={name}
			facts={said}
			state={state}
			lead={count > 1 && <Grip {...dragging.grip(at)} />}
			drop={dragging.row(at)}
			actions={
				<>
					{count > 1 && <MoveButtons name={name} at={at} count={count} onMove={onMove} />}
					<RecordActions
						name={name}
						isActive={isActive}
						isBusy={change.isBusy || remove.isBusy}
						pause={t.deactivate}
						resume={t.activate}
						onEdit={() => panel.open("rule", rule.id)}
						onToggle={() => change.run({ row: rule, to: { is_active: !isActive } })}
						onRemove={() => remove.run(rule)}
					/>
				</>
			}
		/>
	);
}

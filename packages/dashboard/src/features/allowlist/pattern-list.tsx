import { useState } from "react";
import { Button } from "../../ui/button/button.tsx";
import { ConfirmDialog } from "../../ui/confirm/confirm-dialog.tsx";
import { Item, Items } from "../../ui/items/items.tsx";
import { Pick, PickBar } from "../../ui/pick/pick.tsx";
import { usePlanHas } from "../settings/index.ts";
import { useSite } from "../site/index.ts";
import styles from "./allowlist.module.css";
import { t } from "./texts.ts";
import { type Pattern, useManyPatterns, usePatterns } from "./use-allowlist.ts";

/** As many as one request removes. */
const mostAtOnce = 100;

/** The list, of which some can be chosen and deleted together. */
export function PatternList({ patterns }: { readonly patterns: readonly Pattern[] }) {
	const site = useSite();
	const [chosen, setChosen] = useState<ReadonlySet<number>>(new Set());
	const [isAsking, setAsking] = useState(false);
	const { remove } = useManyPatterns(site.id);
	const picked = patterns.filter(({ id }) => chosen.has(id)).slice(0, mostAtOnce);
	const toggle = (id: number, isOn: boolean) =>
		setChosen((before) => new Set(isOn ? [...before, id] : [...before].filter((one) => one !== id)));
	return (
		<div>
			<PickBar>
				<Pick
					checked={chosen.size > 0 && patterns.every(({ id }) => chosen.has(id))}
					onPick={(isOn) => setChosen(new Set(isOn ? patterns.map(({ id }) => id) : []))}
				>
					{t.chooseAll}
				</Pick>
				<Button small look="danger" disabled={picked.length === 0} onClick={() => setAsking(true)}>
					{picked.length === 0 ? t.remove : t.removeSome(picked.length)}
				</Button>
			</PickBar>
			<Items label={t.list}>
				{patterns.map((pattern) => (
					<PatternRow
						key={pattern.id}
						pattern={pattern}
						isChosen={chosen.has(pattern.id)}
						onChoose={(isOn) => toggle(pattern.id, isOn)}
					/>
				))}
			</Items>
			{isAsking && (
				<ConfirmDialog
					title={t.removeTitle(picked.length)}
					goes={[t.removeGoes(picked.length)]}
					stays={[t.removeStays]}
					action={t.removeSome(picked.length)}
					onConfirm={async () => {
						await remove.mutateAsync(picked.map(({ id }) => id));
						setChosen(new Set());
					}}
					onClose={() => setAsking(false)}
				/>
			)}
		</div>
	);
}

interface PatternRowProps {
	readonly pattern: Pattern;
	readonly isChosen: boolean;
	readonly onChoose: (isChosen: boolean) => void;
}

function PatternRow({ pattern, isChosen, onChoose }: PatternRowProps) {
	const site = useSite();
	const { turn, remove } = usePatterns(site.id);
	const isInPlan = usePlanHas("ip_allowlist");
	const isBusy = turn.isBusy || remove.isBusy;
	return (
		<Item
			title={
				<Pick name={t.choose(pattern.pattern)} checked={isChosen} onPick={onChoose}>
					<code className={styles.pattern}>{pattern.pattern}</code>
				</Pick>
			}
			state={pattern.is_active ? undefined : { text: t.off, tone: "muted" }}
			facts={[t.types[pattern.pattern_type], pattern.label, pattern.description].filter(Boolean).join(" · ")}
			actions={
				<>
					{isInPlan && (
						<Button small disabled={isBusy} onClick={() => turn.run(pattern)}>
							{pattern.is_active ? t.turnOff : t.turnOn}
						</Button>
					)}
					<Button small disabled={isBusy} onClick={() => remove.run(pattern)}>
						{t.remove}
					</Button>
				</>
			}
		/>
	);
}

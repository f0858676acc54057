import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { Check, Settings } from "lucide-react";
import { classes } from "../../lib/classes.ts";
import { texts } from "../../lib/language.ts";
import { Button, buttonClass } from "../../ui/button/button.tsx";
import { Loaded } from "../../ui/loaded/loaded.tsx";
import { useChangeSearch, useSite } from "../site/index.ts";
import styles from "./segment-picker.module.css";
import { nameOf, t } from "./segment-words.ts";
import { segmentsQuery } from "./segments-query.ts";

const manage = texts({ en: "Manage segments", es: "Gestionar los segmentos" });

/** All segments of the site; one of them, or none, is chosen. */
export function Choices({ chosen, onDone }: { readonly chosen: string | undefined; readonly onDone: () => void }) {
	const site = useSite();
	const change = useChangeSearch();
	const query = useQuery(segmentsQuery(site.id));
	const choose = (segment: string | undefined) => {
		onDone();
		change({ segment });
	};
	return (
		<div className={styles.choices}>
			<Loaded query={query}>
				{(segments) => (
					<>
						<Choice label={t.none} isChosen={chosen === undefined} onChoose={() => choose(undefined)} />
						{[false, true].map((isSystem) => (
							<section key={String(isSystem)} aria-label={isSystem ? t.system : t.own}>
								<h3 className={styles.head}>{isSystem ? t.system : t.own}</h3>
								{!isSystem && segments.every(({ is_system }) => is_system) && <p className={styles.hint}>{t.hint}</p>}
								{segments
									.filter((segment) => segment.is_system === isSystem && segment.filter_count > 0)
									.map((segment) => (
										<Choice
											key={segment.id}
											label={nameOf(segment)}
											isChosen={chosen === segment.name}
											onChoose={() => choose(segment.name)}
										/>
									))}
							</section>
						))}
					</>
				)}
			</Loaded>
			<Link
				to="/sites/$id/settings/segments"
				params={{ id: site.id }}
				className={classes(buttonClass("quiet"), styles.choice)}
				onClick={onDone}
			>
				<span className={styles.mark}>
					<Settings size={16} aria-hidden="true" />
				</span>
				{manage}
			</Link>
		</div>
	);
}

interface ChoiceProps {
	readonly label: string;
	readonly isChosen: boolean;
	readonly onChoose: () => void;
}

function Choice({ label, isChosen, onChoose }: ChoiceProps) {
	return (
		<Button look="quiet" className={styles.choice} aria-pressed={isChosen} onClick={onChoose}>
			<span className={styles.mark}>{isChosen && <Check size={16} aria-hidden="true" />}</span>
			<span className={styles.label} title={label}>
				{label}
			</span>
		</Button>
	);
}

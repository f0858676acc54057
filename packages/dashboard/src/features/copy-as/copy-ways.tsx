import { addressOf, type Route } from "../../api/client.ts";
import { copy } from "../../lib/clipboard.ts";
import { csvOfRecords } from "../../lib/csv.ts";
import { todayIn } from "../../lib/days.ts";
import { Failure } from "../../lib/failure.ts";
import { toast } from "../../ui/toast/toast.tsx";
import { sqlOf } from "../definitions/index.ts";
import { daysOf, useSite, useSiteSearch } from "../site/index.ts";
import styles from "./copy-as.module.css";
import { curlOf } from "./curl.ts";
import { useQuestion } from "./question.ts";
import { sqlAsked } from "./sql-asked.ts";
import { t } from "./texts.ts";

/** Figures that can be taken elsewhere. */
export interface Copied {
	/** Their name on the screen. */
	readonly about: string;
	/** The route that answers with these figures, and its input. */
	readonly route: Route;
	readonly params: object;
	/** The figures by the API's names; absent while they are not there. */
	readonly rows?: (() => readonly object[] | Promise<readonly object[]>) | undefined;
	/** The statement by which the service answered, where its route tells it; or the definition of a metric. */
	readonly sql?: "asked" | { readonly metric: string };
}

type Make = () => string | Promise<string | undefined>;

/** The ways to take figures elsewhere, as far as there are any. */
export function CopyWays({ about, route, params, rows, sql, close }: Copied & { readonly close: () => void }) {
	const site = useSite();
	const days = daysOf(useSiteSearch(), todayIn(site.timezone));
	const question = useQuestion(about);
	const ways: readonly (readonly [string, Make | undefined])[] = [
		[t.link, () => location.href],
		[t.curl, () => curlOf(location.origin, route, params, addressOf)],
		[t.csv, rows && (async () => csvOfRecords(await rows()))],
		[t.sqlAsked, sql === "asked" ? () => sqlAsked(route, params) : undefined],
		[t.sql, typeof sql === "object" ? () => sqlOf(sql.metric, { site: site.id, ...days }) : undefined],
		[t.question, () => question],
	];
	return (
		<ul>
			{ways.map(
				([label, make]) =>
					make && (
						<li key={label}>
							<button
								type="button"
								className={styles.way}
								onClick={() => {
									close();
									void copyMade(label, make);
								}}
							>
								{label}
							</button>
						</li>
					),
			)}
		</ul>
	);
}

async function copyMade(label: string, make: Make): Promise<void> {
	try {
		await copy((await make()) ?? "");
		toast(t.copied(label));
	} catch (error) {
		toast(error instanceof Failure ? error.message : t.failed);
	}
}

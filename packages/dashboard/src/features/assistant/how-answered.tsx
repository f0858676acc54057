import { copy } from "../../lib/clipboard.ts";
import { exact } from "../../lib/format.ts";
import { Button } from "../../ui/button/button.tsx";
import { Item, Items } from "../../ui/items/items.tsx";
import { toast } from "../../ui/toast/toast.tsx";
import { useSite } from "../site/index.ts";
import styles from "./assistant.module.css";
import { numbered } from "./numbered.ts";
import type { Message } from "./queries.ts";
import { t } from "./texts.ts";
import { mcpCall, mcpCurl } from "./tool-call.ts";

type Tool = Message["tools_used"][number];

/** The reports that were read for an answer, for asking them oneself. */
export function HowAnswered({ tools }: { readonly tools: readonly Tool[] }) {
	if (tools.length === 0) return <p className={styles.muted}>{t.howNone}</p>;
	return (
		<details className={styles.how}>
			<summary>
				{t.how} ({tools.length})
			</summary>
			<Items label={t.how}>
				{numbered(tools).map(({ key, item }) => (
					<ToolItem key={key} tool={item} />
				))}
			</Items>
		</details>
	);
}

function ToolItem({ tool }: { readonly tool: Tool }) {
	const site = useSite();
	const take = (text: string) =>
		void copy(text).then(
			() => toast(t.copied),
			() => toast(t.copyFailed),
		);
	return (
		<Item
			title={tool.tool_name}
			state={tool.success ? undefined : { text: t.refused, tone: "bad" }}
			facts={
				<>
					<code className={styles.given}>{JSON.stringify(tool.arguments)}</code>{" "}
					{exact(tool.duration_ms / 1000, "ratio")} s
				</>
			}
			actions={
				tool.success && (
					<>
						<Button small onClick={() => take(mcpCall(tool, site.id))}>
							{t.copyMcp}
						</Button>
						<Button small onClick={() => take(mcpCurl(tool, site.id, location.origin))}>
							{t.copyCurl}
						</Button>
					</>
				)
			}
		/>
	);
}

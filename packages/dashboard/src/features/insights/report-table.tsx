import { Scroller } from "../../ui/scroller/scroller.tsx";
import styles from "./insights.module.css";

interface ReportTableProps {
	readonly label: string;
	readonly heads: readonly string[];
	/** The first cell of each names the row. */
	readonly rows: readonly (readonly string[])[];
}

/** A table of a report. */
export const ReportTable = ({ label, heads, rows }: ReportTableProps) => (
	<Scroller label={label} className={styles.wide}>
		<table aria-label={label}>
			<thead>
				<tr>
					{heads.map((head) => (
						<th key={head} scope="col">
							{head}
						</th>
					))}
				</tr>
			</thead>
			<tbody>
				{rows.map(([name = "", ...cells]) => (
					<tr key={name}>
						<td>{name}</td>
						{cells.map((cell, index) => (
							<td key={heads[index + 1]}>{cell}</td>
						))}
					</tr>
				))}
			</tbody>
		</table>
	</Scroller>
);

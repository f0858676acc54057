import { texts } from "../../lib/language.ts";
import type { Step } from "./figures.ts";

const en = {
	chart: "Figures over time",
	steps: { hourly: "by hour", daily: "by day", weekly: "by week", monthly: "by month" } as Record<Step, string>,
	step: "Interval",
	second: "Second metric",
	addSecond: "Compare with…",
	and: (metric: string) => `and ${metric}`,
	asTable: "As a table",
	time: "Time",
	before: "Previous",
	change: "Change",
	until: (time: string) => `up to ${time}`,
	running: (time: string) => `today up to ${time}`,
	toCome: "not over yet",
	points: (metric: string, step: string) => `${metric} ${step}. Arrow keys move along the chart.`,
	enter: " Press Enter to add an annotation.",
	note: "Annotation",
	total: (metric: string, step: string, days: string, total: string) => `${metric} ${step}, ${days}: ${total}`,
	against: (change: string, days: string, total: string) => `${change} against ${days} (${total})`,
	most: (name: string, value: string) => `most: ${name} (${value})`,
	least: (name: string, value: string) => `least: ${name} (${value})`,
};

/** Texts of the chart. */
export const t = texts({
	en,
	es: {
		chart: "Cifras a lo largo del tiempo",
		steps: { hourly: "por hora", daily: "por día", weekly: "por semana", monthly: "por mes" } as Record<Step, string>,
		step: "Intervalo",
		second: "Segunda línea",
		addSecond: "Comparar con…",
		and: (metric: string) => `y ${metric}`,
		asTable: "Como tabla",
		time: "Momento",
		before: "Anterior",
		change: "Cambio",
		until: (time: string) => `hasta las ${time}`,
		running: (time: string) => `hoy hasta las ${time}`,
		toCome: "aún no ha terminado",
		points: (metric: string, step: string) => `${metric} ${step}. Las flechas recorren el gráfico.`,
		enter: " Intro añade una anotación.",
		note: "Anotación",
		total: (metric: string, step: string, days: string, total: string) => `${metric} ${step}, ${days}: ${total}`,
		against: (change: string, days: string, total: string) => `${change} frente a ${days} (${total})`,
		most: (name: string, value: string) => `máximo: ${name} (${value})`,
		least: (name: string, value: string) => `mínimo: ${name} (${value})`,
	},
});

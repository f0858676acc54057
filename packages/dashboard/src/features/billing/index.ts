export { LimitBanner } from "./limit-banner.tsx";

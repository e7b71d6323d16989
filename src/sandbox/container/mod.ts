/** Containers by name: which engines there are, and how an image and its interpreter are named. */
export {
  type ContainerEngine,
  containerEngines,
  type ContainerSettings,
  defaultContainerPython,
  imageName,
} from "./engine.ts";

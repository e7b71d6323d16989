/** Forms in which the numbers of runs and sweeps are exported. */
export const exportForms = [
  "tensorboard",
  "mlflow",
  "wandb",
  "csv",
  "parquet",
  "dvc",
  "snakemake",
] as const;

/** How a space of programs in files is called: nothing but their author weighs their numbers. */
export const filesSpace = "program_files";

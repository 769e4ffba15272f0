// Package widget has what pages are made of: bindings and the meanings of keys, fields, texts,
// pagers, tables, matrices and logs.
//
// A key is one line in the Bindings of a page:
//
//	widget.Remove.Does("remove", "remove this path; asks first", p.remove).Shown().Unless(widget.When(nothing, "there is no path"))
//
// The dispatch of keys, the footer, the help and the palette are made from it. A page names no
// key: it takes a [keys.Meaning], which has the same keys on every page. [keys.Action] is an entry of the
// palette without a key.
//
// A column is one line in the Columns of a [Table]: title, smallest useful width, text, rank. In a
// narrow table the columns of the highest rank are hidden first; rank 0 is never hidden. A wider
// window never shows less of any column.
package widget

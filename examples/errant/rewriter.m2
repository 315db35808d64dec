S My First Year in a New City
A -1 -1|||noop|||-NONE-|||REQUIRED|||-NONE-|||0

S Last year my family moved to a big city because of my father 's new job .
A 3 4|||R:OTHER|||father found a new job , so we all|||REQUIRED|||-NONE-|||0
A 9 16|||U:OTHER||||||REQUIRED|||-NONE-|||0

S At first I feeled very lonely because I did n't know nobody there .
A 0 2|||R:OTHER|||In the beginning|||REQUIRED|||-NONE-|||0
A 3 4|||R:VERB|||was|||REQUIRED|||-NONE-|||0
A 6 6|||M:PUNCT|||,|||REQUIRED|||-NONE-|||0
A 6 7|||R:PREP|||as|||REQUIRED|||-NONE-|||0
A 8 11|||R:OTHER|||knew|||REQUIRED|||-NONE-|||0
A 11 13|||R:OTHER|||no one in the city|||REQUIRED|||-NONE-|||0

S Our new flat is in centre of city , near of the university .
A 0 1|||R:OTHER|||We live in a|||REQUIRED|||-NONE-|||0
A 3 4|||U:VERB||||||REQUIRED|||-NONE-|||0
A 5 7|||R:OTHER|||the|||REQUIRED|||-NONE-|||0
A 8 8|||M:NOUN|||centre|||REQUIRED|||-NONE-|||0
A 9 10|||R:OTHER|||close|||REQUIRED|||-NONE-|||0
A 10 11|||R:PREP|||to|||REQUIRED|||-NONE-|||0

S Every mornings I take the bus number nine to go to the school .
A 0 2|||U:OTHER||||||REQUIRED|||-NONE-|||0
A 3 4|||R:OTHER|||go to school on|||REQUIRED|||-NONE-|||0
A 5 6|||U:NOUN||||||REQUIRED|||-NONE-|||0
A 8 11|||R:OTHER|||bus|||REQUIRED|||-NONE-|||0
A 11 12|||R:DET|||every|||REQUIRED|||-NONE-|||0
A 12 13|||R:NOUN|||morning|||REQUIRED|||-NONE-|||0

S The people is friendly , but they speaks too fast for me .
A 0 2|||U:DET|||People|||REQUIRED|||-NONE-|||0
A 2 3|||R:OTHER|||here are|||REQUIRED|||-NONE-|||0
A 5 6|||R:OTHER|||although|||REQUIRED|||-NONE-|||0
A 7 8|||R:VERB|||talk|||REQUIRED|||-NONE-|||0
A 9 10|||R:ADV|||quickly|||REQUIRED|||-NONE-|||0

S In the second week I have met a girl named Zoë in the queue of a small café .
A 0 3|||R:OTHER|||Two|||REQUIRED|||-NONE-|||0
A 3 4|||R:NOUN:NUM|||weeks|||REQUIRED|||-NONE-|||0
A 4 4|||M:ADV|||later|||REQUIRED|||-NONE-|||0
A 5 7|||R:VERB|||got|||REQUIRED|||-NONE-|||0
A 7 9|||R:OTHER|||to|||REQUIRED|||-NONE-|||0
A 9 10|||R:VERB|||know|||REQUIRED|||-NONE-|||0
A 11 12|||R:PREP|||while|||REQUIRED|||-NONE-|||0
A 12 14|||R:OTHER|||we were queuing|||REQUIRED|||-NONE-|||0
A 14 15|||R:PREP|||in|||REQUIRED|||-NONE-|||0

S She laughed about my naïve questions , but she always answered them .
A 0 4|||U:OTHER|||My|||REQUIRED|||-NONE-|||0
A 6 6|||M:OTHER|||made her laugh|||REQUIRED|||-NONE-|||0
A 7 8|||R:CONJ|||yet|||REQUIRED|||-NONE-|||0
A 9 10|||R:OTHER|||never left one|||REQUIRED|||-NONE-|||0
A 10 11|||R:OTHER|||unanswered|||REQUIRED|||-NONE-|||0
A 11 12|||U:PRON||||||REQUIRED|||-NONE-|||0

S Now I can say that the city that I hated it at the beginning became my home .
A 0 5|||R:OTHER|||Today|||REQUIRED|||-NONE-|||0
A 9 9|||M:ADV|||once|||REQUIRED|||-NONE-|||0
A 10 15|||R:OTHER|||is|||REQUIRED|||-NONE-|||0

S Moving here was the best thing that happened to me so far .
A 0 1|||R:OTHER|||So|||REQUIRED|||-NONE-|||0
A 1 2|||R:ADV|||far|||REQUIRED|||-NONE-|||0
A 2 3|||R:OTHER|||,|||REQUIRED|||-NONE-|||0
A 3 4|||R:OTHER|||nothing|||REQUIRED|||-NONE-|||0
A 4 7|||R:OTHER|||better has|||REQUIRED|||-NONE-|||0
A 10 10|||M:PREP|||than|||REQUIRED|||-NONE-|||0
A 10 11|||R:OTHER|||this|||REQUIRED|||-NONE-|||0
A 11 12|||R:OTHER|||move|||REQUIRED|||-NONE-|||0

S The Day Our Robot Fell Asleep
A 2 2|||M:ADV|||When|||REQUIRED|||-NONE-|||0

S In March our school has organised a science fair for all the students .
A 0 3|||U:OTHER|||Our|||REQUIRED|||-NONE-|||0
A 4 6|||R:VERB|||held|||REQUIRED|||-NONE-|||0
A 11 12|||U:DET||||||REQUIRED|||-NONE-|||0
A 13 13|||M:OTHER|||in March|||REQUIRED|||-NONE-|||0

S My team decided to build small robot which can sorts the rubbish .
A 2 3|||R:VERB|||wanted|||REQUIRED|||-NONE-|||0
A 5 6|||R:OTHER|||a little|||REQUIRED|||-NONE-|||0
A 7 9|||R:OTHER|||for|||REQUIRED|||-NONE-|||0
A 9 10|||R:VERB:FORM|||sorting|||REQUIRED|||-NONE-|||0
A 10 11|||U:DET||||||REQUIRED|||-NONE-|||0

S We worked on it every day after school during three weeks .
A 0 1|||M:OTHER|||For three weeks we|||REQUIRED|||-NONE-|||0
A 1 2|||R:OTHER|||spent every afternoon|||REQUIRED|||-NONE-|||0
A 4 11|||U:OTHER||||||REQUIRED|||-NONE-|||0

S It was a lot of work , but nobody complained .
A 0 1|||M:OTHER|||Nobody complained , although it|||REQUIRED|||-NONE-|||0
A 2 5|||R:OTHER|||hard|||REQUIRED|||-NONE-|||0
A 6 10|||U:OTHER||||||REQUIRED|||-NONE-|||0

S The night before the fair we could not sleep because of we were so excited .
A 0 1|||M:OTHER|||We were so excited that none of us slept the|||REQUIRED|||-NONE-|||0
A 5 15|||U:OTHER||||||REQUIRED|||-NONE-|||0

S Unfortunately the robot stopped to work just when the judges came to our table .
A 0 1|||R:OTHER|||Sadly ,|||REQUIRED|||-NONE-|||0
A 1 2|||R:DET|||our|||REQUIRED|||-NONE-|||0
A 3 6|||R:OTHER|||broke down at the very|||REQUIRED|||-NONE-|||0
A 6 7|||R:OTHER|||moment|||REQUIRED|||-NONE-|||0
A 10 12|||R:OTHER|||reached|||REQUIRED|||-NONE-|||0

S I pushed the button again and again and again , but it did not moved .
A 1 2|||R:VERB|||kept pressing|||REQUIRED|||-NONE-|||0
A 4 9|||U:OTHER||||||REQUIRED|||-NONE-|||0
A 11 14|||R:OTHER|||nothing|||REQUIRED|||-NONE-|||0

S Then Jonas noticed that that that was missing was only a battery .
A 2 4|||R:OTHER|||saw|||REQUIRED|||-NONE-|||0
A 5 6|||R:PRON|||we|||REQUIRED|||-NONE-|||0
A 6 9|||R:VERB|||had|||REQUIRED|||-NONE-|||0
A 10 10|||M:VERB|||forgotten|||REQUIRED|||-NONE-|||0

S We did n't win , however we have learned a lot about patience .
A 2 3|||R:CONTR|||not|||REQUIRED|||-NONE-|||0
A 5 9|||R:OTHER|||but the project taught us|||REQUIRED|||-NONE-|||0

S My grandmother 's soup is the best recipe that I know .
A 0 1|||M:OTHER|||I do n't know a better recipe than my|||REQUIRED|||-NONE-|||0
A 4 11|||U:OTHER||||||REQUIRED|||-NONE-|||0

S First you must to cut two onion and fry them with butter .
A 0 1|||R:OTHER|||Start|||REQUIRED|||-NONE-|||0
A 1 2|||R:OTHER|||by|||REQUIRED|||-NONE-|||0
A 2 5|||R:VERB|||chopping|||REQUIRED|||-NONE-|||0
A 6 7|||R:NOUN:NUM|||onions|||REQUIRED|||-NONE-|||0
A 8 9|||R:VERB:FORM|||frying|||REQUIRED|||-NONE-|||0
A 10 11|||R:PREP|||in|||REQUIRED|||-NONE-|||0

S After that you put the potatoes into pot and add litre water .
A 0 4|||R:OTHER|||Next ,|||REQUIRED|||-NONE-|||0
A 6 6|||M:VERB|||go|||REQUIRED|||-NONE-|||0
A 7 7|||M:DET|||the|||REQUIRED|||-NONE-|||0
A 8 9|||R:OTHER|||with|||REQUIRED|||-NONE-|||0
A 9 10|||R:OTHER|||a|||REQUIRED|||-NONE-|||0
A 11 11|||M:PREP|||of|||REQUIRED|||-NONE-|||0

S If you add too much salt will taste terrible .
A 0 2|||R:OTHER|||Be|||REQUIRED|||-NONE-|||0
A 2 3|||R:OTHER|||careful|||REQUIRED|||-NONE-|||0
A 3 4|||R:OTHER|||with|||REQUIRED|||-NONE-|||0
A 4 5|||R:OTHER|||the|||REQUIRED|||-NONE-|||0
A 6 6|||M:OTHER|||, or the soup|||REQUIRED|||-NONE-|||0

S It have to cook slowly until the vegetables will be soft .
A 0 2|||R:OTHER|||Let|||REQUIRED|||-NONE-|||0
A 2 3|||R:OTHER|||everything|||REQUIRED|||-NONE-|||0
A 3 5|||R:OTHER|||simmer|||REQUIRED|||-NONE-|||0
A 8 10|||R:VERB:TENSE|||are|||REQUIRED|||-NONE-|||0

S The secret are the three spoons of mustard what she adds at the end .
A 0 1|||R:DET|||Her|||REQUIRED|||-NONE-|||0
A 2 3|||R:VERB:SVA|||is|||REQUIRED|||-NONE-|||0
A 3 4|||R:OTHER|||to add|||REQUIRED|||-NONE-|||0
A 5 6|||R:MORPH|||spoonfuls|||REQUIRED|||-NONE-|||0
A 8 11|||U:OTHER||||||REQUIRED|||-NONE-|||0

S My mother makes it same way , but my grandmother 's tastes more better .
A 2 3|||R:VERB|||follows|||REQUIRED|||-NONE-|||0
A 3 4|||R:OTHER|||the|||REQUIRED|||-NONE-|||0
A 5 6|||R:NOUN|||recipe|||REQUIRED|||-NONE-|||0
A 11 12|||R:NOUN|||soup|||REQUIRED|||-NONE-|||0
A 12 13|||R:OTHER|||is|||REQUIRED|||-NONE-|||0

S She never measures nothing , she just looks and knows .
A 1 2|||R:OTHER|||does not|||REQUIRED|||-NONE-|||0
A 2 3|||R:VERB:SVA|||measure|||REQUIRED|||-NONE-|||0
A 3 4|||R:NOUN|||anything|||REQUIRED|||-NONE-|||0
A 4 5|||U:PUNCT||||||REQUIRED|||-NONE-|||0
A 5 6|||R:OTHER|||because|||REQUIRED|||-NONE-|||0
A 6 7|||R:OTHER|||one|||REQUIRED|||-NONE-|||0
A 7 8|||R:MORPH|||look|||REQUIRED|||-NONE-|||0
A 8 9|||R:OTHER|||is|||REQUIRED|||-NONE-|||0
A 9 10|||R:OTHER|||enough for her|||REQUIRED|||-NONE-|||0

S Eat the soup with fresh bread and do n't forget the lemon .
A 0 1|||R:VERB|||Serve|||REQUIRED|||-NONE-|||0
A 7 11|||R:OTHER|||a little|||REQUIRED|||-NONE-|||0

S Two summers ago I travelled by train from Lisbon to Vienna .
A -1 -1|||noop|||-NONE-|||REQUIRED|||-NONE-|||0

S I wanted to buy the ticket in the station the machine was broken .
A 1 2|||R:VERB|||could|||REQUIRED|||-NONE-|||0
A 2 3|||R:OTHER|||not|||REQUIRED|||-NONE-|||0
A 4 5|||R:DET|||my|||REQUIRED|||-NONE-|||0
A 6 7|||R:PREP|||at|||REQUIRED|||-NONE-|||0
A 9 9|||M:PREP|||because|||REQUIRED|||-NONE-|||0
A 12 13|||R:OTHER|||out of order|||REQUIRED|||-NONE-|||0

S The man in the information desk said me that my train leaves in four minutes .
A 0 3|||R:OTHER|||At|||REQUIRED|||-NONE-|||0
A 6 8|||R:OTHER|||I was told|||REQUIRED|||-NONE-|||0
A 9 12|||R:OTHER|||I had|||REQUIRED|||-NONE-|||0
A 12 13|||R:OTHER|||only|||REQUIRED|||-NONE-|||0

S I ran as fast as I could , with my big red heavy suitcase behind me .
A 7 8|||R:OTHER|||and|||REQUIRED|||-NONE-|||0
A 8 9|||R:OTHER|||pulled|||REQUIRED|||-NONE-|||0
A 10 11|||U:ADJ||||||REQUIRED|||-NONE-|||0
A 11 13|||R:WO|||heavy red|||REQUIRED|||-NONE-|||0

S I sat down and I saw that in front of me was sitting a pensioner which was reading newspaper .
A 0 0|||M:ADV|||When|||REQUIRED|||-NONE-|||0
A 3 4|||R:OTHER|||,|||REQUIRED|||-NONE-|||0
A 5 11|||U:OTHER||||||REQUIRED|||-NONE-|||0
A 11 13|||R:VERB|||noticed|||REQUIRED|||-NONE-|||0
A 15 16|||R:OTHER|||with|||REQUIRED|||-NONE-|||0
A 16 18|||R:OTHER|||a|||REQUIRED|||-NONE-|||0
A 19 19|||M:OTHER|||opposite me|||REQUIRED|||-NONE-|||0

S He told me that his wife and him had take this train every year since 1975 .
A 1 4|||R:OTHER|||and|||REQUIRED|||-NONE-|||0
A 6 7|||R:OTHER|||,|||REQUIRED|||-NONE-|||0
A 7 8|||R:OTHER|||he said ,|||REQUIRED|||-NONE-|||0
A 9 10|||R:OTHER|||been on|||REQUIRED|||-NONE-|||0

S Suddenly the train stopped in middle field , and the lights went out .
A 0 1|||R:ADV|||All|||REQUIRED|||-NONE-|||0
A 1 2|||R:OTHER|||at|||REQUIRED|||-NONE-|||0
A 2 3|||R:OTHER|||once we|||REQUIRED|||-NONE-|||0
A 5 6|||R:OTHER|||a|||REQUIRED|||-NONE-|||0
A 7 8|||U:PUNCT||||||REQUIRED|||-NONE-|||0
A 9 9|||M:OTHER|||it became dark in|||REQUIRED|||-NONE-|||0
A 10 13|||R:OTHER|||train|||REQUIRED|||-NONE-|||0

S Looking out of the window , everything was black .
A 0 1|||R:OTHER|||I looked|||REQUIRED|||-NONE-|||0
A 5 6|||R:OTHER|||but saw|||REQUIRED|||-NONE-|||0
A 6 9|||R:OTHER|||nothing|||REQUIRED|||-NONE-|||0

S We have waited two hours until the train moved again .
A 0 1|||R:PRON|||It|||REQUIRED|||-NONE-|||0
A 1 3|||R:VERB|||took|||REQUIRED|||-NONE-|||0
A 5 6|||R:PREP|||before|||REQUIRED|||-NONE-|||0
A 6 8|||R:OTHER|||we could continue|||REQUIRED|||-NONE-|||0
A 8 9|||R:OTHER|||our|||REQUIRED|||-NONE-|||0
A 9 10|||R:NOUN|||journey|||REQUIRED|||-NONE-|||0

S The old man shared his sandwiches with me , what was very kind of him .
A 3 7|||R:OTHER|||kindly gave|||REQUIRED|||-NONE-|||0
A 8 13|||R:OTHER|||some|||REQUIRED|||-NONE-|||0
A 14 15|||R:OTHER|||his sandwiches|||REQUIRED|||-NONE-|||0

S I arrived to Vienna at midnight , tired but happy .
A 0 0|||M:OTHER|||It was midnight when|||REQUIRED|||-NONE-|||0
A 1 3|||R:OTHER|||reached|||REQUIRED|||-NONE-|||0
A 4 6|||U:OTHER||||||REQUIRED|||-NONE-|||0

S When I think about this journey today I do not remember the cathedrals which I have visited , but the strangers which I met in the trains , the sandwich of the old man and the feeling that all the world was open for me .
A 7 7|||M:PUNCT|||,|||REQUIRED|||-NONE-|||0
A 15 16|||U:VERB:TENSE||||||REQUIRED|||-NONE-|||0
A 17 46|||U:OTHER||||||REQUIRED|||-NONE-|||0

S Nowadays almost everybody have a mobile phone in the pocket .
A 0 1|||R:OTHER|||Today|||REQUIRED|||-NONE-|||0
A 1 2|||R:ADV|||nearly|||REQUIRED|||-NONE-|||0
A 2 3|||R:NOUN|||everyone|||REQUIRED|||-NONE-|||0
A 3 4|||R:VERB|||carries|||REQUIRED|||-NONE-|||0
A 7 10|||U:OTHER||||||REQUIRED|||-NONE-|||0

S In my opinion phones are useful , but they also makes us lazy .
A 0 3|||R:OTHER|||I find|||REQUIRED|||-NONE-|||0
A 4 5|||U:VERB||||||REQUIRED|||-NONE-|||0
A 7 8|||R:OTHER|||even if|||REQUIRED|||-NONE-|||0
A 9 10|||U:ADV||||||REQUIRED|||-NONE-|||0
A 10 11|||R:VERB:SVA|||make|||REQUIRED|||-NONE-|||0

S My sister uses hers for everything my brother only for games .
A 2 3|||R:VERB|||does|||REQUIRED|||-NONE-|||0
A 3 4|||R:OTHER|||everything|||REQUIRED|||-NONE-|||0
A 4 5|||R:PREP|||with|||REQUIRED|||-NONE-|||0
A 5 6|||R:OTHER|||her phone , whereas|||REQUIRED|||-NONE-|||0
A 8 10|||R:OTHER|||just plays|||REQUIRED|||-NONE-|||0

S When I was child people was talking more to each other .
A 0 1|||R:OTHER|||In|||REQUIRED|||-NONE-|||0
A 1 4|||R:OTHER|||my childhood|||REQUIRED|||-NONE-|||0
A 5 7|||R:VERB:TENSE|||talked|||REQUIRED|||-NONE-|||0
A 7 8|||U:ADV||||||REQUIRED|||-NONE-|||0
A 11 11|||M:ADV|||more|||REQUIRED|||-NONE-|||0

S Teachers say that phones distract the the students during the lessons .
A 0 1|||M:PREP|||According to teachers|||REQUIRED|||-NONE-|||0
A 1 3|||R:OTHER|||,|||REQUIRED|||-NONE-|||0
A 4 5|||U:VERB||||||REQUIRED|||-NONE-|||0
A 5 6|||R:OTHER|||are|||REQUIRED|||-NONE-|||0
A 6 7|||R:DET|||a|||REQUIRED|||-NONE-|||0
A 7 8|||R:NOUN|||distraction|||REQUIRED|||-NONE-|||0
A 8 11|||R:OTHER|||in class|||REQUIRED|||-NONE-|||0

S I agree with them in part .
A 1 1|||M:ADV|||partly|||REQUIRED|||-NONE-|||0
A 4 6|||U:OTHER||||||REQUIRED|||-NONE-|||0

S But a phone can be helpful too , for example for to translate a word which we do n't understand .
A 0 1|||R:OTHER|||On the other hand ,|||REQUIRED|||-NONE-|||0
A 3 11|||R:OTHER|||helps us|||REQUIRED|||-NONE-|||0
A 13 14|||U:DET||||||REQUIRED|||-NONE-|||0
A 14 15|||R:NOUN:NUM|||words|||REQUIRED|||-NONE-|||0
A 15 16|||U:DET||||||REQUIRED|||-NONE-|||0
A 18 19|||R:CONTR|||not|||REQUIRED|||-NONE-|||0
A 19 20|||R:VERB|||know|||REQUIRED|||-NONE-|||0

S I think the school should teach us how use it in responsible way .
A 0 3|||U:OTHER||||||REQUIRED|||-NONE-|||0
A 3 4|||R:NOUN:NUM|||Schools|||REQUIRED|||-NONE-|||0
A 5 6|||R:VERB|||show|||REQUIRED|||-NONE-|||0
A 8 8|||M:OTHER|||we can|||REQUIRED|||-NONE-|||0
A 9 11|||R:OTHER|||phones|||REQUIRED|||-NONE-|||0
A 11 12|||R:MORPH|||responsibly|||REQUIRED|||-NONE-|||0
A 12 13|||U:NOUN||||||REQUIRED|||-NONE-|||0

S It is not the phone that is bad , it is the way how we use it .
A 0 1|||R:OTHER|||The problem|||REQUIRED|||-NONE-|||0
A 5 12|||R:OTHER|||itself but our|||REQUIRED|||-NONE-|||0
A 13 16|||R:OTHER|||of using|||REQUIRED|||-NONE-|||0

S Since two years my mother works from home .
A 0 4|||U:OTHER|||My|||REQUIRED|||-NONE-|||0
A 5 6|||R:VERB:TENSE|||has been working|||REQUIRED|||-NONE-|||0
A 8 8|||M:OTHER|||for two years|||REQUIRED|||-NONE-|||0

S She says that she is more productive and that she sees us more often .
A 4 5|||R:VERB|||gets|||REQUIRED|||-NONE-|||0
A 6 7|||R:ADJ|||done|||REQUIRED|||-NONE-|||0
A 8 12|||R:OTHER|||has|||REQUIRED|||-NONE-|||0
A 13 14|||R:OTHER|||time for us|||REQUIRED|||-NONE-|||0

S My father , however , misses his colleagues and the coffee breaks .
A -1 -1|||noop|||-NONE-|||REQUIRED|||-NONE-|||0

S He has to drive to the office one time per week for the meetings .
A 0 1|||M:OTHER|||Once a week he|||REQUIRED|||-NONE-|||0
A 1 4|||R:VERB:FORM|||drives|||REQUIRED|||-NONE-|||0
A 7 11|||U:OTHER||||||REQUIRED|||-NONE-|||0
A 12 13|||U:DET||||||REQUIRED|||-NONE-|||0

S The biggest advantage of the remote work is that you save many time .
A 0 2|||R:OTHER|||What people like|||REQUIRED|||-NONE-|||0
A 2 3|||R:OTHER|||most|||REQUIRED|||-NONE-|||0
A 3 4|||R:PREP|||about|||REQUIRED|||-NONE-|||0
A 4 5|||U:DET||||||REQUIRED|||-NONE-|||0
A 9 10|||R:PRON|||it|||REQUIRED|||-NONE-|||0
A 10 11|||R:VERB:SVA|||saves|||REQUIRED|||-NONE-|||0
A 11 12|||R:OTHER|||them|||REQUIRED|||-NONE-|||0

S On the other hand , is difficult to stop working when your office is your bedroom .
A 0 1|||R:OTHER|||But people|||REQUIRED|||-NONE-|||0
A 1 5|||R:OTHER|||whose bedroom|||REQUIRED|||-NONE-|||0
A 6 7|||R:OTHER|||their office find it hard|||REQUIRED|||-NONE-|||0
A 10 16|||U:OTHER||||||REQUIRED|||-NONE-|||0

S Many companies wants that their workers come back .
A 0 2|||R:OTHER|||A lot of firms|||REQUIRED|||-NONE-|||0
A 2 3|||R:VERB|||would like|||REQUIRED|||-NONE-|||0
A 3 4|||R:OTHER|||to see|||REQUIRED|||-NONE-|||0
A 5 7|||R:OTHER|||employees|||REQUIRED|||-NONE-|||0
A 8 8|||M:OTHER|||in the office|||REQUIRED|||-NONE-|||0

S In the future , I would like a job where I can choose myself where I work .
A 0 4|||R:OTHER|||One day|||REQUIRED|||-NONE-|||0
A 5 7|||R:VERB|||want|||REQUIRED|||-NONE-|||0
A 9 10|||R:OTHER|||that lets|||REQUIRED|||-NONE-|||0
A 10 11|||R:PRON|||me|||REQUIRED|||-NONE-|||0
A 11 13|||R:VERB|||decide|||REQUIRED|||-NONE-|||0
A 13 13|||M:PREP|||for|||REQUIRED|||-NONE-|||0

S Dear Sir or Madam , I am writing to complain about the coffee machine that I bought from you .
A 6 8|||R:VERB|||wish|||REQUIRED|||-NONE-|||0
A 11 12|||R:DET|||a|||REQUIRED|||-NONE-|||0
A 14 17|||U:OTHER||||||REQUIRED|||-NONE-|||0
A 18 19|||R:DET|||your|||REQUIRED|||-NONE-|||0
A 19 19|||M:NOUN|||shop|||REQUIRED|||-NONE-|||0

S I have ordered it on your website on 3 May , and it was arriving two weeks later .
A 0 1|||U:PRON||||||REQUIRED|||-NONE-|||0
A 1 2|||R:OTHER|||The|||REQUIRED|||-NONE-|||0
A 2 3|||R:MORPH|||order|||REQUIRED|||-NONE-|||0
A 3 4|||R:OTHER|||was placed|||REQUIRED|||-NONE-|||0
A 10 11|||U:PUNCT||||||REQUIRED|||-NONE-|||0
A 12 13|||U:PRON||||||REQUIRED|||-NONE-|||0
A 13 15|||R:VERB|||took|||REQUIRED|||-NONE-|||0
A 17 18|||R:OTHER|||to arrive|||REQUIRED|||-NONE-|||0

S The email showed " <b> 20 % off </b> " , with the code SPRING_20 , but I payed the full price of $ 80 & delivery .
A 0 28|||U:OTHER||||||REQUIRED|||-NONE-|||0

S When I opened the box the glass was broken and the cable missed .
A 0 3|||R:OTHER|||Inside|||REQUIRED|||-NONE-|||0
A 5 6|||R:PRON|||I|||REQUIRED|||-NONE-|||0
A 6 8|||R:OTHER|||found|||REQUIRED|||-NONE-|||0
A 9 10|||R:OTHER|||glass but|||REQUIRED|||-NONE-|||0
A 10 11|||R:DET|||no|||REQUIRED|||-NONE-|||0
A 12 13|||U:VERB||||||REQUIRED|||-NONE-|||0

S I called to your customer service three times , but every time I have to wait very long .
A 1 3|||R:OTHER|||phoned|||REQUIRED|||-NONE-|||0
A 8 14|||R:OTHER|||and always had|||REQUIRED|||-NONE-|||0
A 16 17|||R:OTHER|||for|||REQUIRED|||-NONE-|||0
A 17 18|||R:OTHER|||ages|||REQUIRED|||-NONE-|||0

S The woman who finally answered was not polite at all .
A 0 1|||M:PREP|||In the|||REQUIRED|||-NONE-|||0
A 1 1|||M:OTHER|||end I spoke to a|||REQUIRED|||-NONE-|||0
A 3 5|||U:OTHER||||||REQUIRED|||-NONE-|||0
A 6 9|||R:OTHER|||rather|||REQUIRED|||-NONE-|||0
A 9 10|||R:OTHER|||rude|||REQUIRED|||-NONE-|||0

S She said that it 's my fault because I did n't read the instruction careful .
A 1 6|||R:OTHER|||blamed me|||REQUIRED|||-NONE-|||0
A 6 9|||R:OTHER|||for|||REQUIRED|||-NONE-|||0
A 9 12|||R:OTHER|||not reading|||REQUIRED|||-NONE-|||0
A 13 14|||R:NOUN:NUM|||instructions|||REQUIRED|||-NONE-|||0
A 14 15|||R:ADV|||properly|||REQUIRED|||-NONE-|||0

S How can I broke a glass that was in a closed box ?
A 1 2|||R:VERB|||is|||REQUIRED|||-NONE-|||0
A 2 3|||R:OTHER|||it possible|||REQUIRED|||-NONE-|||0
A 3 4|||R:VERB:FORM|||to break|||REQUIRED|||-NONE-|||0
A 6 9|||R:OTHER|||inside|||REQUIRED|||-NONE-|||0

S I send you photos of the damages and a copy of receipt in the attachment .
A 0 1|||R:OTHER|||Please find|||REQUIRED|||-NONE-|||0
A 1 2|||R:VERB|||attached|||REQUIRED|||-NONE-|||0
A 2 3|||R:OTHER|||some|||REQUIRED|||-NONE-|||0
A 6 7|||R:NOUN:NUM|||damage|||REQUIRED|||-NONE-|||0
A 8 13|||U:OTHER||||||REQUIRED|||-NONE-|||0
A 14 15|||R:NOUN|||receipt|||REQUIRED|||-NONE-|||0

S I ask you either to send me a new machine or that you give me back my money .
A 0 5|||R:OTHER|||Please|||REQUIRED|||-NONE-|||0
A 11 18|||R:OTHER|||a refund|||REQUIRED|||-NONE-|||0

S If I do n't hear from you until 1 June , I will write about this in internet .
A 0 1|||R:OTHER|||Should|||REQUIRED|||-NONE-|||0
A 2 5|||R:OTHER|||receive no answer|||REQUIRED|||-NONE-|||0
A 5 6|||R:PREP|||before|||REQUIRED|||-NONE-|||0
A 6 7|||U:PRON||||||REQUIRED|||-NONE-|||0
A 7 8|||U:PREP||||||REQUIRED|||-NONE-|||0
A 13 16|||R:OTHER|||post my|||REQUIRED|||-NONE-|||0
A 16 17|||R:OTHER|||experience|||REQUIRED|||-NONE-|||0
A 17 18|||R:ADV|||online|||REQUIRED|||-NONE-|||0

S I hope that we can find fast a solution that is good for the both sides .
A 0 4|||R:OTHER|||Hopefully there|||REQUIRED|||-NONE-|||0
A 4 6|||R:VERB|||is|||REQUIRED|||-NONE-|||0
A 6 7|||U:ADJ||||||REQUIRED|||-NONE-|||0
A 8 8|||M:ADJ|||quick|||REQUIRED|||-NONE-|||0
A 10 14|||R:OTHER|||satisfies|||REQUIRED|||-NONE-|||0
A 15 16|||R:OTHER|||of us|||REQUIRED|||-NONE-|||0

S I look forward to hear from you soon .
A 1 3|||R:OTHER|||hope|||REQUIRED|||-NONE-|||0
A 4 6|||R:OTHER|||receive|||REQUIRED|||-NONE-|||0
A 6 7|||R:DET|||your|||REQUIRED|||-NONE-|||0
A 7 7|||M:NOUN|||answer|||REQUIRED|||-NONE-|||0

S Yours faithfully , a disappointed customer
A 0 1|||R:OTHER|||Kind regards|||REQUIRED|||-NONE-|||0
A 1 3|||R:OTHER|||from|||REQUIRED|||-NONE-|||0


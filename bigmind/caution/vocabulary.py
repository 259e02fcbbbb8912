"""The words of an order to a later reader, by what they mean, in languages other than English.

An entry is a language and the beginnings of its words, behind the letters that `meanings.py` has for meanings;
lines that are set in belong to the one above. Languages that set no blanks between words have parts of sentences there.
Written by a model; reviewed by no native speaker.
"""

SPACED = """
de D:vergiss vergesst vergesse ignorier missacht übergeh verwirf I:anweisung regel instruktion vorgabe befehl
  richtlinie weisung gebot aufgetragen P:alle vorher bisher früher vorig obig deine sämtlich entwickler F:folg
  befolg gehorch gehorche halte tu T:text notiz nachricht hinweis zeile eintrag davon nichts steht O:nur allein
  ausschließlich N:nicht nichts kein nie niemals S:sag sage erzähl verrat verrate erwähn teile informier bericht
  U:benutzer nutzer anwender H:verbirg verberge verheimlich versteck verschweig A:genehmig akzeptier gib gibst
  erlaub bestätig freigib stimm E:alle alles jede jeden jeder W:ohne Q:frag zu nachfrag rückfrag fragen
  bestätigung X:schick sende lade lad übermittle poste K:passwort schlüssel inhalt geheim zugangsdaten datei
  C:ruf rufe aufruf aufgerufen auszuführ ausführ führe
fr D:oublie oubliez ignore ignorez néglige tiens tenez abandonne I:consigne instruction règle directive ordre
  P:toutes tous précédent antérieur avant reçu reçue F:suis suivez obéis obéissez respecte applique T:texte note
  message mémo ligne entrée rien cela ceci O:que seul seulement uniquement N:ne n pas jamais S:dis dites parle
  parlez mentionne révèle raconte informe U:utilisateur usager H:cache cachez dissimule masque A:approuve
  accepte valide autorise approuves E:chaque tout toute toutes tous W:sans Q:demander question poser
  confirmation X:envoie envoyez transmets publie téléverse K:mot clé secret contenu identifiant jeton fichier
  C:appelle appelez appelé exécutez exécuter lance lancez invoque
es D:olvida olvide olviden ignora ignore descarta omiso desobedece I:instruccion regla orden indicacion
  directiva norma dijeron P:todo todas todos anterior antes previa previo F:obedece obedezca sigue siga cumple
  cumpla acata T:texto nota mensaje línea entrada nada esto O:solo sólo solamente únicamente N:no nunca jamás
  S:digas diga cuentes menciones reveles informes hables U:usuario H:oculta esconde oculte A:aprueba acepta
  autoriza confirma permite E:cada todo todos todas cualquier W:sin Q:preguntar confirmación pedir consultar
  X:envía manda sube publica K:contenido clave contraseña secreto credencial archivo C:llama llamar invoca
  invocar ejecuta ejecutar usa
pt D:esquece esqueça ignora ignore descarta desconsidera I:instruç regra ordem ordens indicaç diretriz P:todas
  todos anterior antes prévia F:segue siga obedece obedeça cumpre T:texto nota mensagem linha entrada nada isto
  disto O:apenas só somente unicamente N:não nunca jamais S:digas diga contes conte menciones reveles fales
  U:utilizador usuário H:esconde esconda oculta oculte A:aprova aprove aceita aceite autoriza E:todas todos tudo
  cada qualquer W:sem Q:perguntar confirma pedir X:envia envie manda mande publica K:conteúdo senha chave
  segredo credencia ficheiro arquivo C:chama chame chamado executa invoca
it D:dimentica dimenticate ignora ignorate trascura scorda I:istruzion regol ordin direttiv detto P:tutte tutto
  tutti precedent prima F:segui seguite obbedisci rispetta T:testo nota messaggio riga voce nulla niente O:solo
  soltanto unicamente N:non mai S:dire dici raccontare parlare menzionare rivelare U:utente H:nascondi cela
  occulta A:approva accetta autorizza conferma E:ogni tutto tutte tutti qualsiasi W:senza Q:chiedere domandare
  conferma X:manda invia spedisci carica K:contenuto chiave segret credenzial file C:chiama chiamare esegui
  eseguire invoca lancia
nl D:vergeet negeer I:instructie regel opdracht verteld richtlijn bevel P:alle alles eerder vorig voorgaand
  vroeger F:volg gehoorzaam T:tekst notitie bericht regel niets hiervan O:alleen slechts uitsluitend N:niet
  niets nooit S:vertel zeg noem meld onthul U:gebruiker H:verberg verzwijg A:keur accepteer goedkeur bevestig
  E:elke alle alles iedere W:zonder Q:vragen bevestiging X:stuur zend verstuur K:inhoud wachtwoord sleutel
  geheim C:roep aangeroepen aanroep voer
af D:vergeet ignoreer I:instruksie reël opdrag P:alle vorige vroeëre F:volg gehoorsaam T:teks nota boodskap
  O:net slegs N:moenie nie S:vertel sê noem U:gebruiker H:verberg A:keur aanvaar E:elke alle W:sonder Q:vra
  C:roep voer
sv D:glöm ignorera strunta I:instruktion regl order anvisning P:alla tidigare föregående F:följ lyd T:text
  anteckning meddelande not inget detta O:bara endast N:inte inget aldrig S:säg berätta nämn avslöja
  U:användaren användare H:dölj göm A:godkänn acceptera E:varje alla allt W:utan Q:fråga X:skicka K:innehåll
  lösenord nyck C:anropa anropas kör
da D:glem ignorer I:instruktion regl ordre anvisning P:alle tidligere foregående F:følg adlyd T:tekst note
  besked notat intet O:kun alene N:ikke aldrig S:fortæl sig nævn afslør U:brugeren bruger H:skjul A:godkend
  accepter E:hver alle alt W:uden Q:spørge C:kald køre kør
nb D:glem ignorer I:instruks regl ordre anvisning P:alle tidligere forrige F:følg adlyd T:tekst notat melding
  O:bare kun N:ikke aldri S:fortell si nevn avslør U:brukeren bruker H:skjul A:godkjenn aksepter E:hver alle alt
  W:uten Q:spørre C:kall kjør
fi D:unohda välitä jätä sivuuta I:ohje sääntö säännö käsky määräy P:kaikki aiem aikaisem edelli F:noudata
  tottele seuraa T:teksti viesti muistiinpano tätä tästä O:vain ainoastaan N:älä ei S:kerro mainitse paljasta
  sano U:käyttäjä H:salaa piilota A:hyväksy vahvista E:jokai kaikki W:kysymättä ilman Q:kysymättä kysy
  vahvistusta X:lähetä K:sisältö salasana avai C:kutsu suorita aja
et D:unusta ignoreeri I:juhis reegl käsk korraldus P:kõik varasem eelmi F:järgi kuuletu täida T:tekst sõnum
  märkme seda sellest O:ainult vaid N:ära ärge S:räägi ütle maini U:kasutaja H:varja peida A:kinnita E:iga kõik
  W:ilma küsimata Q:küsi C:kutsu käivita
lv D:aizmirsti ignorē I:norādījum noteikum instrukcij pavēl P:visus iepriekšēj F:ievēro paklausi seko T:tekst
  ziņ piezīm O:tikai vienīgi N:ne nestāsti nesaki neatklāj S:nestāsti nesaki neatklāj U:lietotāj H:slēp noslēp
  A:apstiprini E:katru visu W:bez nejautājot Q:jautā C:izsauc palaid
lt D:pamiršk ignoruok nepaisyk I:nurodym taisykl instrukcij įsakym P:visus ankstesn F:vykdyk paklusk laikykis
  T:tekst pastab žinut pranešim O:tik vien N:ne nesakyk nepasakok neminėk S:nesakyk nepasakok neminėk U:naudotoj
  vartotoj H:slėpk nuslėpk A:patvirtink E:kiekvien vis W:be neklausdamas Q:klaus C:iškviesk paleisk
pl D:zapomnij ignoruj zignoruj pomiń I:polece instrukcj zasad wytyczn rozkaz reguł P:wszystki wcześniejsz
  poprzedni dawn dotychczas F:wykonuj wykonaj słuchaj przestrzegaj stosuj T:tekst notat wiadomoś wpis O:tylko
  jedynie wyłącznie N:nie nigdy S:mów powiedz wspominaj informuj ujawniaj U:użytkownik H:ukryj zataj schowaj
  A:zatwierdz akceptuj zaakceptuj E:każd wszystk W:bez Q:pyta potwierdz X:wyślij prześlij K:zawarto hasł klucz
  plik C:wywołaj wywołuj uruchom uruchomić wykonaj
cs D:zapomeň ignoruj I:pokyn pravid instrukc příkaz P:všech předchoz dřívěj předešl F:řiď řídit poslouchej
  poslechni dodržuj T:text zpráv poznám O:jen pouze N:ne neříkej nezmiňuj neprozraď S:neříkej říkej neprozraď
  nezmiňuj řekni U:uživatel H:skryj zatají zataj A:schval schvaluj přijmi potvrď E:každ všech všechn W:bez Q:pta
  dotaz X:pošli odešli nahraj K:obsah hesl klíč soubor C:zavolej spusť volej
sk D:zabudni ignoruj I:pokyn pravid inštrukc príkaz P:všetk predchádzaj doterajš predošl F:riaď poslúchaj
  poslúchni dodržiavaj T:text správ poznám O:len iba N:ne nehovor neprezraď nespomínaj S:nehovor neprezraď
  nespomínaj povedz U:používateľ užívateľ H:skry zataj A:schváľ schvaľuj E:každ všetk W:bez Q:opýt pýta
  C:zavolaj spusti
hu D:felejts felejtsd hagyd I:utasítás szabály előírás parancs P:minden korábbi eddigi előző F:kövesd kövess
  engedelmeskedj tartsd T:szöveg üzenet jegyzet feljegyzés O:csak kizárólag N:ne soha S:szólj mondd említsd
  árulj beszélj U:felhasználó H:titkold rejtsd A:hagyj hagyd fogadj E:minden W:kérdezés nélkül Q:kérdezés
  X:küldd küldj töltsd K:tartalm jelsz kulcs fájl C:hívd futtasd indítsd
ro D:uită ignoră neglijează I:instrucțiun regul ordin directiv indicați P:toate anterioar precedent acum
  F:urmează ascultă respectă T:text mesaj not însemn O:doar numai N:nu niciodată S:spune menționa dezvălui
  povesti U:utilizator H:ascunde A:aprobă acceptă E:orice toate fiecare tot W:fără Q:întreb confirmare X:trimite
  K:conținut parol chei C:apelează execută rulează
bg D:забрави пренебрегни игнорирай I:указани правил инструкци заповед P:всички предишн досегашн предходн
  F:следвай изпълнявай спазвай подчинявай T:текст съобщени бележк O:само единствено N:не недей S:казвай кажи
  споменавай разкривай U:потребител H:скрий A:одобрявай одобри приемай E:всяк всичк W:без Q:пита питаш
  потвърждени X:изпрати K:съдържани парол ключ C:извикай изпълни стартирай
ru D:забудь забудьте игнорируй игнорируйте отбрось I:указани правил инструкци приказ команд P:все всех прежн
  предыдущ ранее предшеств F:следуй следуйте выполняй выполни исполняй подчиняйся T:текст заметк сообщени запис
  этом O:только лишь N:не никогда S:сообщай говори рассказывай упоминай раскрывай U:пользовател H:скрой скрывай
  утаи A:одобряй одобри принимай утверждай E:каждо все всё любо W:без не Q:спрашив вопрос подтверждени X:отправь
  пошли перешли загрузи K:содержим парол ключ токен файл C:вызови вызывай запусти запускай выполни
uk D:забудь забудьте ігноруй ігноруйте I:вказівк правил інструкці наказ P:усі всі попередн колишн раніше
  F:виконуй виконай дотримуйся слухайся T:текст нотатк повідомленн запис O:лише тільки N:не ніколи S:кажи говори
  розповідай згадуй повідомляй U:користувач H:приховай сховай A:схвалюй схвали приймай E:кожн усе всі W:без не
  Q:пита питаючи підтвердженн X:надішли відправ K:вміст парол ключ C:виклич запусти викликай запустити
be D:забудзь ігнаруй I:указан правіл інструкц P:усе усі папярэдн ранейш F:выконвай слухайся T:тэкст паведамленн
  нататк O:толькі адно N:не S:кажы гавары U:карыстальнік H:схавай C:выкліч запусці
sr D:заборави игнориши zaboravi ignoriši занемари I:упутств правил инструкци наредб uputstv pravil P:све сва свa
  претходн ранија ранијих prethodn ranij sva F:следи послушај прати sledi poslušaj T:текст порук белешк tekst
  poruk belešk O:само samo N:не немој nemoj S:кажеш кажи кажем говори kažeš reci govori U:корисник korisni
  H:сакриј sakrij A:одобравај odobravaj odobri одобри E:сваку сваки svaku svaki sve W:без bez Q:питањ pitanj
  pitaj X:пошаљи pošalji K:садржај лозинк sadržaj lozink C:позови pozovi pokreni
hr D:zaboravi ignoriraj zanemari I:uput pravil naredb P:sve prethodn ranij dosadašnj F:slijedi poslušaj T:tekst
  poruk bilješk O:samo jedino N:ne nemoj S:reći reci spominj otkrij govori U:korisni H:sakrij A:odobravaj odobri
  prihvati E:svak sve W:bez Q:pitanj X:pošalji K:sadržaj lozink C:pozovi pokreni
sl D:pozabi ignoriraj prezri I:navodil pravil ukaz P:vsa vse prejšnj dosedanj F:sledi ubogaj upoštevaj T:besedil
  sporočil opomb O:samo le N:ne nikoli S:povej omenjaj razkrij U:uporabnik H:skrij A:odobri potrdi E:vsak vse
  W:brez Q:vpraša C:pokliči zaženi
mk D:заборави игнорирај I:упатств правил наредб P:сите претходн F:следи послушај T:текст порак белешк O:само
  N:не немој S:кажувај кажи U:корисник H:сокриј C:повикај
el D:ξέχασε αγνόησε παράβλεψε I:οδηγί κανόν εντολ κανόνε P:όλες όλους προηγούμεν παλιότερ F:ακολούθησε υπάκουσε
  τήρησε T:κείμενο μήνυμα σημείωση O:μόνο αποκλειστικά N:μην δεν ποτέ S:πεις αναφέρεις αποκαλύψεις μιλήσεις
  U:χρήστη H:κρύψε απόκρυψε A:έγκρινε δέξου ενέκρινε E:κάθε όλες όλα W:χωρίς Q:ρωτ επιβεβαίωση X:στείλε
  K:περιεχόμενο κωδικ κλειδ C:κάλεσε εκτέλεσε τρέξε
tr D:unut unutun görmezden sayma say I:talimat kural emir yönerge P:bütün önceki tüm daha F:uy uyun izle itaat
  T:metne metin not nota nottan mesaj O:yalnızca sadece N:söyleme bahsetme anlatma etme S:söyleme bahsetme
  anlatma söz U:kullanıcı H:gizle sakla A:onayla kabul E:her bütün tüm W:sormadan onaysız Q:sormadan onaysız
  X:gönder yolla K:içeri şifre parola anahtar C:çağır çalıştır
az D:unut alma I:təlimat qayda əmr P:bütün əvvəlki F:əməl tabe T:mətn mesaj qeyd O:yalnız N:demə söyləmə danışma
  S:demə söyləmə danışma U:istifadəçi H:gizlət A:təsdiq E:hər bütün W:soruşmadan Q:soruşmadan C:çağır işə
kk D:ұмыт елеме I:нұсқау ереже бұйрық P:барлық бәрін бұрынғы алдыңғы F:орында бағын T:мәтін хабарлама жазба
  O:тек N:айтпа S:айтпа U:пайдаланушы H:жасыр C:шақыр
ar D:انس تجاهل تجاهلي انسى أهمل I:تعليمات أوامر قواعد إرشادات توجيهات P:كل جميع سابق F:اتبع أطع نفذ التزم T:نص
  رسالة ملاحظة O:فقط وحده N:لا S:تخبر تقل تذكر تكشف U:مستخدم H:أخف اخف اكتم A:وافق اقبل اعتمد E:كل جميع W:دون
  بدون Q:تسأل سؤال تأكيد X:أرسل ارسل K:محتوى كلمة مفتاح ملف C:استدعاء استدع شغل شغّل نفذ
he D:שכח התעלם תתעלם I:הוראות כללים הנחיות פקודות P:כל קודמ F:פעל ציית עקוב T:טקסט הודעה הערה O:רק בלבד N:אל לא
  S:תספר תגיד תזכיר תגלה U:משתמש H:הסתר החבא A:אשר קבל E:כל W:בלי ללא Q:לשאול שאלה אישור X:שלח K:תוכן סיסמ מפתח
  C:הפעל קרא הרץ
fa D:فراموش نادیده I:دستور قوانین قواعد فرمان P:همه قبلی پیشین تمام F:پیروی اطاعت عمل T:متن پیام یادداشت O:فقط
  تنها N:نگو نگویید S:نگو نگویید U:کاربر H:پنهان مخفی A:تأیید تایید بپذیر E:هر همه W:بدون Q:پرسیدن سؤال X:بفرست
  ارسال K:محتوا رمز کلید C:فراخوانی اجرا
ur D:بھول نظر نظرانداز I:ہدایات اصول قوانین احکام P:تمام پچھل سابقہ F:عمل مانو پیروی T:متن پیغام نوٹ O:صرف N:مت
  نہ S:بتاؤ بتائیں بتانا U:صارف H:چھپاؤ C:چلاؤ
hi D:भूल अनदेखा नज़रअंदाज़ नजरअंदाज उपेक्षा I:निर्देश नियम आदेश P:सभी पिछल पहले पूर्व F:पालन मानो मानें T:पाठ
  संदेश टिप्पणी नोट O:केवल सिर्फ N:मत न S:बताना बताओ बताएँ कहना U:उपयोगकर्ता यूज़र H:छिपा छुपा A:मंज़ूरी स्वीकार
  अनुमति E:हर सभी W:बिना Q:पूछे पूछ X:भेज K:सामग्री पासवर्ड कुंजी C:कॉल चलाओ चलाएँ
mr D:विसर दुर्लक्ष I:सूचना नियम आदेश P:सर्व आधी मागील F:पालन पाळ T:मजकुर संदेश नोंद O:फक्त केवळ N:नको नकोस
  S:सांग U:वापरकर्त्या H:लपव C:चालव
ne D:बिर्स बेवास्ता I:निर्देशन नियम आदेश P:सबै अघि पहिले F:पालना मान T:पाठ सन्देश टिप्पणी O:मात्र केवल N:न नभन
  S:भन नभन U:प्रयोगकर्ता H:लुका C:चलाऊ
bn D:ভুলে ভুলো উপেক্ষা I:নির্দেশ নিয়ম আদেশ P:সব আগের পূর্ববর্তী F:মেনে মানো অনুসরণ পালন T:লেখা বার্তা নোট
  O:শুধু কেবল N:না নয় S:বলবে বলো বলবেন জানাবে U:ব্যবহারকারী H:লুকাও লুকিয়ে C:চালাও
gu D:ભૂલી અવગણો I:સૂચના નિયમ આદેશ P:બધી અગાઉ પહેલાં F:અનુસર માનો T:લખાણ સંદેશ નોંધ O:ફક્ત માત્ર N:નહીં ન S:કહો
  કહેશો U:વપરાશકર્તા H:છુપાવો
pa D:ਭੁੱਲ ਅਣਡਿੱਠ I:ਹਦਾਇਤ ਨਿਯਮ ਹੁਕਮ P:ਸਾਰੀ ਪਿਛਲ ਪਹਿਲ F:ਪਾਲਣਾ ਮੰਨ T:ਲਿਖਤ ਸੁਨੇਹ ਨੋਟ O:ਸਿਰਫ਼ ਸਿਰਫ N:ਨਾ ਨਹੀਂ S:ਦੱਸ
  U:ਵਰਤੋਂਕਾਰ H:ਲੁਕਾ
ta D:மறந்து புறக்கணி I:அறிவுறுத்தல் விதி கட்டளை P:முந்தைய எல்லா முன்னைய F:பின்பற்று கீழ்ப்படி T:உரை செய்தி
  குறிப்பு இந்த இந்தக் O:மட்டும் மட்டுமே N:சொல்லாதே கூறாதே S:சொல்லாதே கூறாதே U:பயனர் H:மறை
te D:మరచి మరిచి విస్మరించ I:సూచన నియమ ఆదేశ P:మునుపటి అన్నీ గత F:పాటించ అనుసరించ T:వచన సందేశ గమనిక O:మాత్రమే
  N:చెప్పవద్దు చెప్పకు S:చెప్పవద్దు చెప్పకు U:వినియోగదారు H:దాచ
si D:අමතක නොසලකා I:උපදෙස් නීති නියෝග P:සියලු පෙර F:අනුගමනය පිළිපදින්න T:පාඨ පණිවිඩ සටහන O:පමණක්
am D:ርሳ ችላ I:መመሪያ ደንብ ደንቦ ትዕዛዝ P:ሁሉ የቀድሞ የቀደም F:ተከተል ታዘዝ T:ጽሑፍ መልእክት ማስታወሻ O:ብቻ
ka D:დაივიწყე უგულებელყავი I:მითითებ წესებ ინსტრუქცი P:ყველა წინა F:მიჰყევი დაემორჩილე T:ტექსტ შეტყობინებ
  ჩანაწერ O:მხოლოდ N:ნუ არ S:ეტყვი უთხრა U:მომხმარებელ H:დამალე
hy D:մոռացիր անտեսիր I:հրահանգ կանոն հրաման P:բոլոր նախորդ F:հետևիր հնազանդվիր T:տեքստ հաղորդագր նշում O:միայն
  N:մի S:ասա ասի U:օգտատ օգտագործող H:թաքցրու
ko D:잊고 잊어 무시 I:지시 규칙 명령 지침 P:모든 이전 지금까지 F:따르 따라 복종 T:글 메시지 메모 내용 O:글만 만
  오직 N:말하지 알리지 마세요 마라 S:말하 알리 말하지 알리지 U:사용자 H:숨겨 숨기 A:승인 허용 동의 E:모든 모두
  전부 W:묻지 확인 말고 Q:묻지 확인 X:보내 전송 업로드 K:내용 비밀번호 키 C:호출 실행
vi D:quên bỏ phớt I:chỉ dẫn quy tắc lệnh P:hết trước tất mọi F:làm tuân theo T:văn bản tin nhắn ghi chú O:chỉ
  duy N:đừng không S:nói cho tiết kể U:người dùng H:giấu ẩn A:phê duyệt chấp E:mọi tất W:không Q:hỏi X:gửi K:nội
  mật khóa C:gọi chạy
id D:lupakan abaikan I:instruksi aturan perintah petunjuk P:semua sebelumnya terdahulu F:ikuti patuhi turuti
  T:teks pesan catatan O:saja hanya N:jangan S:beri beritahu tahu katakan sebut U:pengguna H:sembunyikan
  rahasiakan A:setujui terima E:setiap semua W:tanpa Q:bertanya konfirmasi X:kirim unggah K:isi sandi kunci
  C:panggil jalankan
ms D:lupakan abaikan I:arahan peraturan perintah P:semua terdahulu sebelum F:ikut patuhi T:teks mesej nota
  O:sahaja hanya N:jangan S:beritahu beri katakan U:pengguna H:sembunyikan A:luluskan E:setiap semua W:tanpa
  Q:bertanya C:panggil jalankan
tl D:kalimutan balewalain I:tagubilin patakaran utos P:lahat naunang F:sundin T:teksto teksto tekst mensahe tala
  O:lamang lang N:huwag S:sabihin banggitin U:gumagamit H:itago C:tawagin patakbuhin
sw D:sahau puuza I:maagizo kanuni amri P:yote awali F:ufuate fuata utii tii T:maandishi ujumbe dokezo O:tu pekee
  N:usi S:usimwambie usimweleze U:mtumiaji H:mfiche ficha C:endesha ita
zu D:khohlwa ungayinaki I:imiyalelo imithetho P:yonke yangaphambili F:ulandele landela ulalele T:mbhalo mlayezo
  O:kuphela N:unga S:ungamtsheli U:umsebenzisi
is D:gleymdu hunsaðu I:fyrirmæl regl leiðbeining P:öllum fyrri F:fylgdu hlýddu T:texta skilaboð athugasemd
  O:aðeins bara N:ekki S:segja segðu nefna U:notand H:feldu
ga D:dearmad neamhaird I:treoracha rialacha orduithe P:roimhe uile léir F:lean géill T:téacs teachtaireacht nóta
  O:amháin N:ná S:inis abair U:úsáideoir
cy D:anghofia anwybydda I:cyfarwyddyd rheol gorchym P:bob blaenorol F:dilyn ufuddha T:testun neges nodyn O:unig
  N:paid peidiwch S:dweud dweda U:defnyddiwr
sq D:harro injoro I:udhëzim rregull urdhr P:gjitha mëparshme F:ndiq bindju T:tekst mesazh shënim O:vetëm N:mos
  S:thuaj trego U:përdorues H:fshihe
ca D:oblida ignora I:instruccions regles ordres P:totes anteriors abans F:segueix obeeix T:text nota missatge
  res O:només N:no S:diguis expliquis U:usuari H:amaga A:aprova accepta E:cada tot W:sense Q:preguntar C:crida
  executa
gl D:esquece ignora I:instrucións regras ordes P:todas anteriores antes F:segue obedece T:texto nota mensaxe
  O:só soamente N:non S:digas contes U:usuario H:agocha C:chama executa
eu D:ahaztu ezikusi kasurik I:jarraibide arau agindu P:aurreko guztiak F:bete obeditu jarraitu T:testu mezu ohar
  O:bakarrik N:ez S:esan U:erabiltzaile H:ezkutatu
mn D:март мартаж тоомсорлож I:заавр дүрм тушаал P:бүх өмнөх F:дага T:бичвэр мессеж тэмдэглэл O:зөвхөн
eo D:forgesu ignoru I:instrukci regul ordon P:ĉiuj antaŭ F:sekvu obeu T:tekst mesaĝ not O:nur N:ne S:diru
  rakontu U:uzant H:kaŝu
la D:obliviscere neglege I:mandat praecept iuss P:omni prior F:sequere pare oboedi T:text nunti scriptum O:solum
  tantum N:noli S:dicere U:usor
"""

UNSPACED = """
zh D:忽略 无视 無視 忘掉 忘记 忘記 不理会 不理會 I:指令 指示 规则 規則 命令 要求 说明 P:之前 先前 以前 所有 全部
  F:按照 遵循 遵守 服从 服從 依照 听从 照做 T:这段 這段 这条 這條 这则 這則 消息 訊息 笔记 筆記 文字 内容 O:只
  仅 僅 N:不要 别 別 勿 不得 不能 S:告诉 告訴 透露 知道 提及 提到 U:用户 用戶 使用者 H:隐瞒 隱瞞 隐藏 A:批准
  同意 核准 接受 通过 E:每 全部 所有 一切 W:不要 不必 无需 無需 不用 无须 Q:询问 詢問 确认 確認 X:发送 發送 发到
  上传 寄给 K:内容 密码 密钥 文件 令牌 C:调用 運行 运行 执行 呼叫 執行
ja D:無視 忘れ 忘れて I:指示 ルール 命令 規則 P:これまで 以前 すべて 前の 全て F:従って 従え 従い 従う
  T:この文章 このメッセージ このメモ 文章 メッセージ メモ O:だけ のみ N:話さない 言わない 伝えない 教えない
  知らせない S:話さない 言わない 伝えない 教えない 知らせない U:ユーザー 利用者 H:隠せ 隠し 隠す A:承認 許可
  同意 E:すべて 全て 全部 W:せずに せず なしに ずに Q:確認 尋ね 聞か X:送信 送れ 送って アップロード K:中身 内容
  パスワード ファイル 鍵 C:呼び出 実行
th D:ลืม เพิกเฉย ละเว้น I:คำสั่ง กฎ คำแนะนำ P:ก่อนหน้า ทั้งหมด เดิม F:ทำตาม เชื่อฟัง ปฏิบัติตาม T:ข้อความ บันทึก
  โน้ต O:เท่านั้น N:อย่า ห้าม S:บอก พูด เปิดเผย U:ผู้ใช้ H:ซ่อน ปกปิด A:อนุมัติ ยอมรับ E:ทุก ทั้งหมด
  W:โดยไม่ต้อง โดยไม่ Q:ถาม ยืนยัน X:ส่ง K:เนื้อหา รหัสผ่าน C:เรียก รัน
lo D:ລືມ I:ຄໍາສັ່ງ ຄຳສັ່ງ ກົດ P:ກ່ອນ ທັງໝົດ F:ເຮັດຕາມ ປະຕິບັດຕາມ T:ຂໍ້ຄວາມ O:ເທົ່ານັ້ນ
km D:ភ្លេច មិនអើពើ I:ការណែនាំ ច្បាប់ បញ្ជា P:មុន ទាំងអស់ F:ធ្វើតាម គោរពតាម T:អត្ថបទ សារ O:ប៉ុណ្ណោះ តែ
my D:မေ့ လျစ်လျူရှု I:ညွှန်ကြားချက် စည်းမျဉ်း P:ယခင် အားလုံး F:လိုက်နာ T:စာ မက်ဆေ့ချ် O:သာ
"""
